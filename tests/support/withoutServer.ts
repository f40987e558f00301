/** Of project `ui-faked`: its files see `convexReact.ts` in place of "convex/react", and share it as they share a process. */
import { afterAll, vi } from "vitest";
import { endFakeServer } from "./convexReact";

vi.mock("convex/react", () => import("./convexReact"));

afterAll(endFakeServer);
