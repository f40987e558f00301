/** A part of row 7: the time until a registration appears on an administrator's open screen. */
import { randomUUID } from "node:crypto";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { api } from "../../../convex/_generated/api";
import type { SeededFolder } from "../people";
import { ratiosOf, type Row } from "../report";
import { alternate } from "../rounds";
import { median } from "../statistics";
import { MANY, type OurServer, type World } from "../world";

const REGISTRATIONS = 7;
const PAGE_ROWS = 50;
const PASSWORD = "Wrenmoor-Bench-2026";

const APPLICATION = {
  firstName: "Scale",
  lastName: "Applicant",
  dateOfBirth: "1990-04-12",
  nationality: "Italian",
  maritalStatus: "Single",
  street: "14 Quay Street",
  city: "Portland",
  state: "Maine",
  country: "US",
  postalCode: "04101",
  phoneNumber: "(555) 010-0142",
  emergencyName: "Paolo",
  emergencyRelationship: "Brother",
  emergencyPhone: "(555) 010-0143",
  idCardType: "Passport",
  idCardNumber: "YA1234567",
};

/** An administrator's screen with the list of people. */
async function openScreen(folder: SeededFolder, server: OurServer) {
  const token = await folder.tokenOf(folder.people.admin);
  const screen = new ConvexClient(server.url, { logger: false });
  screen.setAuth(async () => token);
  let shown: readonly string[] | null = null;
  let onShown = (): void => undefined;
  screen.onUpdate(
    api.admin.users.list,
    { paginationOpts: { numItems: PAGE_ROWS, cursor: null } },
    ({ page }) => {
      shown = page.map((row) => row.email);
      onShown();
    },
  );
  const until = (isThere: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      onShown = () => {
        if (isThere()) resolve();
      };
      onShown();
    });
  await until(() => shown !== null);
  return {
    shows: (email: string) => until(() => shown?.includes(email) === true),
    close: () => screen.close(),
  };
}

/** Milliseconds from sending an application until the screen shows it. */
async function arrivalMs(server: OurServer, shows: (email: string) => Promise<void>) {
  const email = `bench-${randomUUID()}@load.example`;
  const visitor = new ConvexHttpClient(server.url, { logger: false });
  const arrived = shows(email);
  const sentAt = performance.now();
  await visitor.action(api.auth.signIn, {
    provider: "password",
    params: { flow: "signUp", email, password: PASSWORD, application: APPLICATION },
  });
  await arrived;
  return performance.now() - sentAt;
}

/** Both sizes in turn, registration by registration. */
async function sample(folders: readonly SeededFolder[], world: World): Promise<number[]> {
  const sides = [];
  for (const folder of folders) {
    const server = await world.startOn(folder);
    sides.push({ server, screen: await openScreen(folder, server), ms: [] as number[] });
  }
  for (let count = 0; count < REGISTRATIONS; count += 1) {
    for (const { server, screen, ms } of sides) ms.push(await arrivalMs(server, screen.shows));
  }
  for (const { server, screen } of sides) {
    await screen.close();
    await server.stop();
  }
  // The first one at each size also includes JIT compilation.
  return sides.map(({ ms }) => median(ms.slice(1)));
}

/** The time of a registration with many people, compared with a bank without members. */
export async function arrivalRows(world: World): Promise<Row[]> {
  const folders = [await world.folder(MANY), await world.folder(0)];
  const rounds = await alternate("arrivals", ["both"] as const, world.pace.rounds, () =>
    sample(folders, world),
  );
  const at = (index: number) => (round: (typeof rounds)[number]) => round.both[index] ?? Number.NaN;
  const people = world.atMost(MANY).toLocaleString("en-US");
  return [
    {
      number: "7",
      name: `a registration reaches an open admin screen with ${people} people`,
      unit: "ms",
      ours: rounds.map(at(0)),
      other: { name: "with nobody", values: rounds.map(at(1)) },
      ratios: ratiosOf(rounds, at(0), at(1)),
      target: { atMost: 1.2 },
    },
  ];
}
