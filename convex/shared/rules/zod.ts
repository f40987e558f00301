/**
 * zod that interprets its schemas. By default it first tries to compile code, which the pages' Content-Security-Policy
 * stops and reports as a violation.
 */
import { z } from "zod";

z.config({ jitless: true });

export { z };
