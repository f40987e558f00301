import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ports that operating systems give by themselves (from 32768 on Linux, from 49152 elsewhere: RFC 6335): a
 * port of those could go to another test's server between the answer and its use, or while a server starts again. Above
 * every port that browsers refuse (the last is 10080: WHATWG Fetch, "port blocking").
 */
const FIRST_PORT = 11_000;
const END_PORT = 32_768;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** A TCP port of 127.0.0.1 that is free now, and that nobody is given who asks for any port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, END_PORT);
    if (await isFree(port)) return port;
  }
}
