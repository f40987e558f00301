/**
 * Mobile deposits: pictures, submitting, the review.
 *
 * Long because each part needs a deposit that passed the earlier parts.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { api, internal as functions } from "../../convex/_generated/api";
import type { Id } from "../../convex/_generated/dataModel";
import {
  balancesOf,
  bellOf,
  expectRefusal,
  expectSoundLedger,
  freshKey,
  internal,
  mailsTo,
  rowsOf,
} from "./moneySupport";
import {
  admin,
  newBackend,
  person,
  refusalOf,
  snapshot,
  type Backend,
  type Person,
} from "./support";

let t: Backend;
let ada: Person;
let root: Person;

beforeEach(async () => {
  t = newBackend();
  ada = await person(t, "ada@bank.example", { checkingCents: 100n });
  root = await admin(t);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** The start of a PNG: signature and dimensions. */
function png(width = 1200, height = 600): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(64);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

const SITE_ORIGIN = "https://bank.example";
const text = (content: string) => new TextEncoder().encode(content);

const post = (who: { as: Person["as"] }, side: string, body: Uint8Array<ArrayBuffer> = png()) =>
  who.as.fetch(`/api/deposit-images?side=${side}`, { method: "POST", body });

async function upload(who: Person, side: "front" | "back"): Promise<Id<"depositImages">> {
  const response = await post(who, side);
  const { imageId } = (await response.json()) as { imageId: Id<"depositImages"> };
  return imageId;
}

async function deposit(changes: Partial<{ amountCents: bigint; backImageId: string }> = {}) {
  const frontImageId = await upload(ada, "front");
  const backImageId = await upload(ada, "back");
  return {
    toAccount: "Checking" as const,
    amountCents: 5_000n,
    frontImageId: frontImageId as string,
    backImageId: backImageId as string,
    requestKey: freshKey(),
    ...changes,
  };
}
const submit = (who: Person, args: Awaited<ReturnType<typeof deposit>>) =>
  who.as.mutation(api.mobileDeposits.submit, args);
const approve = (depositId: string) => root.as.mutation(api.admin.deposits.approve, { depositId });
const reject = (depositId: string, reason = "Not endorsed") =>
  root.as.mutation(api.admin.deposits.reject, { depositId, reason });
const failed = async () => {
  const paginationOpts = { numItems: 5, cursor: null };
  const args = { status: "Failed", paginationOpts } as const;
  return (await root.as.query(api.admin.deposits.queue, args)).page;
};

describe("images", () => {
  test("are stored for their owner and for administrators, and for nobody else", async () => {
    const imageId = await upload(ada, "front");
    const ben = await person(t, "ben@bank.example");
    const read = (who: { as: Person["as"] }) => who.as.fetch(`/api/deposit-images/${imageId}`);
    expect((await read(ada)).status).toBe(200);
    const seen = await read(root);
    expect(new Uint8Array(await seen.arrayBuffer())).toEqual(png());
    expect(seen.headers.get("content-type")).toBe("image/png");
    expect(seen.headers.get("cache-control")).toBe("private, no-store");
    expect(seen.headers.get("content-disposition")).toBe("inline");
    expect(seen.headers.get("x-content-type-options")).toBe("nosniff");
    const kept = await t.run((ctx) => ctx.db.get("depositImages", imageId));
    expect(kept?.sizeBytes).toBe(png().length);
    expect((await read(ben)).status).toBe(404);
    expect((await ada.as.fetch(`/api/deposit-images/${ada.userId}`)).status).toBe(404);
    const visitor = await t.fetch(`/api/deposit-images/${imageId}`);
    expect(visitor.status).toBe(401);
  });

  test.each([
    [{ hasPassedCode: false }, 401, "OTP_REQUIRED"],
    [{ status: "pending", role: "pending" }, 403, "NOT_APPROVED"],
    [{ mustChangePassword: true }, 403, "PASSWORD_CHANGE_REQUIRED"],
  ] as const)("are for members alone, not for %o", async (standing, status, code) => {
    const ben = await person(t, "ben@bank.example", standing);
    const read = await ben.as.fetch(`/api/deposit-images/${await upload(ada, "front")}`);
    for (const answer of [read, await post(ben, "front")]) {
      expect([answer.status, await answer.json()]).toMatchObject([status, { code }]);
    }
  });

  test("whose file is lost are not found", async () => {
    const imageId = await upload(ada, "front");
    await t.run(async (ctx) => {
      const image = await ctx.db.get("depositImages", imageId);
      if (image !== null) await ctx.storage.delete(image.storageId);
    });
    expect((await ada.as.fetch(`/api/deposit-images/${imageId}`)).status).toBe(404);
  });

  test.each([
    ["the product's own, on another host than the functions", SITE_ORIGIN, SITE_ORIGIN],
    ["somebody else's", "https://evil.example", null],
    ["the product's own without TLS", "http://bank.example", null],
  ])(
    "are readable for pages of the product's own origin only: %s",
    async (_whose, origin, allowed) => {
      vi.stubEnv("SITE_URL", `${SITE_ORIGIN}/`);
      const path = `/api/deposit-images/${await upload(ada, "front")}`;
      const asked = [
        await t.fetch(path, { method: "OPTIONS", headers: { origin } }),
        await t.fetch("/api/deposit-images?side=front", { method: "OPTIONS", headers: { origin } }),
        await ada.as.fetch(path, { headers: { origin } }),
        await t.fetch(path, { headers: { origin } }),
      ];
      expect(asked.map(({ status }) => status)).toEqual([204, 204, 200, 401]);
      for (const { headers } of asked) {
        expect(headers.get("access-control-allow-origin")).toBe(allowed);
        expect(headers.get("vary")).toBe("Origin");
      }
      expect(asked[0]?.headers.get("access-control-allow-headers")).toContain("Authorization");
    },
  );

  test.each([
    ["no side", "middle", png(), 400, "DEPOSIT_INCOMPLETE"],
    ["a text with a picture's name", "front", text("GIF89a <script>"), 415, "INVALID_IMAGE"],
    ["no pixels", "front", png(0, 10), 415, "IMAGE_UNUSABLE_SIZE"],
    ["a pixel bomb", "front", png(60_000, 60_000), 415, "IMAGE_UNUSABLE_SIZE"],
    ["eleven megabytes", "front", new Uint8Array(11_000_000), 413, "IMAGE_TOO_LARGE"],
  ])("refuses %s and stores nothing", async (_what, side, body, status, code) => {
    const answer = await post(ada, side, body);
    expect([answer.status, await answer.json()]).toMatchObject([status, { code }]);
    const stored = await t.run((ctx) => ctx.db.system.query("_storage").take(5));
    expect(stored).toEqual([]);
  });

  test("of ten megabytes are accepted", async () => {
    const body = new Uint8Array(10_000_000);
    body.set(png());
    expect((await post(ada, "front", body)).status).toBe(200);
  });

  test("of a person who never submits are kept up to ten, and for a day", async () => {
    const uploaded: Id<"depositImages">[] = [];
    for (let index = 0; index < 12; index++) uploaded.push(await upload(ada, "front"));
    const kept = await t.run((ctx) => ctx.db.query("depositImages").take(50));
    expect(kept.map(({ _id }) => _id)).toEqual(uploaded.slice(2));
    const count = () => t.run(async (ctx) => (await ctx.db.query("depositImages").take(50)).length);
    const stored = () => t.run((ctx) => ctx.db.system.query("_storage").take(100));
    expect(await count()).toBe(10);
    expect(await stored()).toHaveLength(10);
    await t.run(async (ctx) => {
      const [image] = await ctx.db.query("depositImages").take(1);
      if (image === undefined) throw new Error("nothing is stored");
      const { _id, _creationTime, ...fields } = image;
      for (let more = 1; more <= 50; more++) {
        const storageId = await ctx.storage.store(new Blob(["x"]));
        await ctx.db.insert("depositImages", { ...fields, storageId });
      }
    });
    vi.useFakeTimers({ now: Date.now() + 2 * 86_400_000 });
    await t.mutation(functions.mobileDeposits.sweepImages, {});
    await t.finishAllScheduledFunctions(() => vi.runAllTimers());
    expect(await count()).toBe(0);
    expect(await stored()).toEqual([]);
  });
});

describe("pictures that were used before", () => {
  /** A deposit of two pictures of given widths, which tell them apart. */
  async function depositOf(who: Person, frontWidth: number, backWidth: number) {
    const imageOf = async (side: string, width: number) => {
      const { imageId } = (await (await post(who, side, png(width))).json()) as { imageId: string };
      return imageId;
    };
    return await submit(who, {
      toAccount: "Checking",
      amountCents: 5_000n,
      frontImageId: await imageOf("front", frontWidth),
      backImageId: await imageOf("back", backWidth),
      requestKey: freshKey(),
    });
  }
  const findings = async () => {
    const paginationOpts = { numItems: 10, cursor: null };
    const { page } = await root.as.query(api.admin.deposits.queue, { paginationOpts });
    return page.map(({ isOnePicture, otherDepositAt }) => [
      isOnePicture,
      otherDepositAt === undefined
        ? null
        : page.findIndex((one) => one.createdAt === otherDepositAt),
    ]);
  };

  test("are marked for the reviewer, whoever sent them; an unsubmitted copy is not", async () => {
    vi.useFakeTimers();
    const ben = await person(t, "ben@bank.example");
    await depositOf(ada, 1001, 1002);
    vi.advanceTimersByTime(1_000);
    await depositOf(ben, 1003, 1003);
    await post(ben, "front", png(1001));
    expect(await findings()).toEqual([
      [false, null],
      [true, null],
    ]);
    vi.advanceTimersByTime(1_000);
    await depositOf(ben, 1004, 1002);
    expect(await findings()).toEqual([
      [false, 2],
      [true, null],
      [false, 0],
    ]);
    vi.advanceTimersByTime(1_000);
    // Of one picture on both sides, each deposit has two copies itself.
    await depositOf(ada, 1003, 1003);
    expect(await findings()).toEqual([
      [false, 2],
      [true, 3],
      [false, 0],
      [true, 1],
    ]);
  });

  test("are marked whichever side they were, behind any number of unsubmitted copies", async () => {
    vi.useFakeTimers();
    await depositOf(ada, 1001, 1002);
    vi.advanceTimersByTime(1_000);
    await depositOf(ada, 1001, 1003);
    for (let count = 0; count < 4; count++) await post(ada, "front", png(1001));
    expect(await findings()).toEqual([
      [false, 1],
      [false, 0],
    ]);
  });

  test("are not compared where an earlier version kept no hash of them", async () => {
    await depositOf(ada, 1001, 1002);
    await t.run(async (ctx) => {
      for await (const { _id } of ctx.db.query("depositImages")) {
        await ctx.db.patch("depositImages", _id, { sha256: undefined });
      }
    });
    expect(await findings()).toEqual([[false, null]]);
  });
});

describe("submitting", () => {
  test("adds the deposit and a Pending credit, and moves no money", async () => {
    await submit(ada, await deposit());
    expect(await rowsOf(ada)).toEqual([
      "Checking credit 5000 Mobile check deposit Deposit Pending",
    ]);
    const [row] = await ada.as.query(api.transactions.recent, {});
    expect(row).not.toHaveProperty("isMemo");
    expect(await balancesOf(t, ada)).toEqual([100n, 0n]);
    const { page } = await ada.as.query(api.mobileDeposits.mine, {
      paginationOpts: { numItems: 5, cursor: null },
    });
    expect(page).toMatchObject([{ status: "Pending Review", amountCents: 5_000n }]);
    expect(await bellOf(ada)).toEqual(["Your deposit of $50.00 to Checking is under review."]);
    await expectSoundLedger(t);
  });

  test.each([
    ["zero", { amountCents: 0n }, "INVALID_AMOUNT"],
    ["a cent above 10,000.00", { amountCents: 1_000_001n }, "DEPOSIT_LIMIT"],
    ["an id of no image", { backImageId: "nonsense" }, "DEPOSIT_INCOMPLETE"],
  ] as const)("refuses %s and writes nothing", async (_what, changes, code) => {
    const args = await deposit(changes);
    await expectRefusal(t, () => submit(ada, args), code);
  });

  test("refuses another's image, twice the same side, and an image that was used before", async () => {
    const ben = await person(t, "ben@bank.example");
    const args = await deposit();
    await expectRefusal(t, () => submit(ben, args), "DEPOSIT_INCOMPLETE");
    const twoFronts = { ...args, backImageId: args.frontImageId };
    await expectRefusal(t, () => submit(ada, twoFronts), "DEPOSIT_INCOMPLETE");
    const twoBacks = { ...args, frontImageId: args.backImageId };
    await expectRefusal(t, () => submit(ada, twoBacks), "DEPOSIT_INCOMPLETE");
    await submit(ada, args);
    const again = { ...args, requestKey: freshKey() };
    await expectRefusal(t, () => submit(ada, again), "DEPOSIT_INCOMPLETE");
  });

  test("refuses a fifty-first waiting deposit until one is reviewed", async () => {
    const { depositId } = await submit(ada, await deposit());
    await t.run(async (ctx) => {
      const { _id, _creationTime, ...first } = (await ctx.db.get("mobileDeposits", depositId))!;
      for (let count = 1; count < 50; count++) await ctx.db.insert("mobileDeposits", first);
    });
    const args = await deposit();
    await expectRefusal(t, () => submit(ada, args), "TOO_MANY_DEPOSITS");
    await reject(depositId);
    await submit(ada, args);
    expect((await rowsOf(ada)).filter((row) => row.endsWith("Pending"))).toHaveLength(1);
  });

  test("the same key submits one deposit", async () => {
    const args = await deposit();
    const first = await submit(ada, args);
    const before = await snapshot(t);
    expect(await submit(ada, args)).toEqual(first);
    expect(await snapshot(t)).toBe(before);
    const otherPicture = { ...args, backImageId: args.frontImageId };
    expect(await refusalOf(submit(ada, otherPicture))).toBe("REQUEST_KEY_REUSED");
  });

  test("shows the member their deposits, newest first, with the decision", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { depositId } = await submit(ada, await deposit());
    vi.setSystemTime(Date.now() + 1_000);
    const later = await submit(ada, await deposit());
    vi.setSystemTime(Date.now() + 1_000);
    await reject(depositId);
    const { page } = await ada.as.query(api.mobileDeposits.mine, {
      paginationOpts: { numItems: 5, cursor: null },
    });
    expect(page.map(({ _id }) => _id)).toEqual([later.depositId, depositId]);
    expect(page[1]).toMatchObject({ reviewedAt: Date.now(), reason: "Not endorsed" });
    expect(page[0]).not.toHaveProperty("reviewedAt");
  });
});

describe("the review", () => {
  test("approval posts the credit once and notifies the member", async () => {
    const { requestKey: _key, ...sent } = await deposit();
    const { depositId } = await submit(ada, { ...sent, requestKey: freshKey() });
    const paginationOpts = { numItems: 5, cursor: null };
    const { page } = await root.as.query(api.admin.deposits.queue, { paginationOpts });
    expect(page).toMatchObject([sent]);
    await approve(depositId);
    expect(await balancesOf(t, ada)).toEqual([5_100n, 0n]);
    expect(await rowsOf(ada)).toEqual([
      "Checking credit 5000 Mobile check deposit Deposit Completed",
    ]);
    await expectRefusal(t, () => approve(depositId), "DEPOSIT_ALREADY_REVIEWED");
    await expectRefusal(t, () => reject(depositId), "DEPOSIT_ALREADY_REVIEWED");
    expect((await bellOf(ada))[0]).toBe("$50.00 was added to Checking.");
    expect(await mailsTo(t, ada)).toEqual(["Check deposit completed"]);
    await expectSoundLedger(t);
  });

  test("balances after later rows count an approved deposit once", async () => {
    const { depositId } = await submit(ada, await deposit());
    await approve(depositId);
    await ada.as.mutation(api.transfers.submit, internal({ amountCents: 1n }));
    const paginationOpts = { numItems: 5, cursor: null };
    const ofChecking = { accountType: "Checking" as const, paginationOpts };
    const { page } = await ada.as.query(api.transactions.history, ofChecking);
    expect(page.map((row) => row.balanceAfterCents)).toEqual([5_099n, 5_100n]);
  });

  test("an approved deposit whose row is deleted is reversed and becomes Failed", async () => {
    const { depositId } = await submit(ada, await deposit());
    await approve(depositId);
    const [row] = await ada.as.query(api.transactions.recent, {});
    await root.as.mutation(api.admin.transactions.remove, { transactionId: row?._id ?? "" });
    expect(await balancesOf(t, ada)).toEqual([100n, 0n]);
    const removed = { reason: "Removed by the credit union", reviewedBy: root.email };
    expect(await failed()).toMatchObject([removed]);
    expect(await mailsTo(t, ada)).toEqual(["Check deposit completed"]);
    await expectSoundLedger(t);
  });

  test("a rejected deposit whose row is deleted keeps its reason", async () => {
    const { depositId } = await submit(ada, await deposit());
    await reject(depositId);
    const [decided] = await failed();
    const [row] = await ada.as.query(api.transactions.recent, {});
    await root.as.mutation(api.admin.transactions.remove, { transactionId: row?._id ?? "" });
    expect(await failed()).toEqual([decided]);
  });

  test("a waiting deposit whose row is deleted becomes Failed, and the member is notified", async () => {
    await submit(ada, await deposit());
    const [row] = await ada.as.query(api.transactions.recent, {});
    await root.as.mutation(api.admin.transactions.remove, { transactionId: row?._id ?? "" });
    const removed = { reason: "Removed by the credit union", reviewedBy: root.email };
    expect(await failed()).toMatchObject([removed]);
    const told = "Your deposit of $50.00 was not accepted: Removed by the credit union";
    expect((await bellOf(ada))[0]).toBe(told);
    expect(await mailsTo(t, ada)).toEqual(["Check deposit not accepted"]);
    await expectSoundLedger(t);
  });

  test("rejection posts nothing and gives the reason", async () => {
    const { depositId } = await submit(ada, await deposit());
    await expectRefusal(t, () => reject(depositId, " "), "REASON_REQUIRED");
    await expectRefusal(t, () => reject(depositId, "a\u202eb"), "INVALID_TEXT");
    // The dialog's field accepts several lines.
    const reason = "Not endorsed.\nPlease sign the back.";
    await reject(depositId, reason);
    expect(await balancesOf(t, ada)).toEqual([100n, 0n]);
    expect(await rowsOf(ada)).toEqual(["Checking credit 5000 Mobile check deposit Deposit Failed"]);
    const decision = { status: "Failed", reason, reviewedBy: root.email };
    expect(await failed()).toMatchObject([{ email: ada.email, ...decision }]);
    expect((await failed())[0]?.reviewedAt).toBeTypeOf("number");
    expect((await bellOf(ada))[0]).toBe(`Your deposit of $50.00 was not accepted: ${reason}`);
    expect(await mailsTo(t, ada)).toEqual(["Check deposit not accepted"]);
    await expectSoundLedger(t);
  });

  test("waiting deposits are listed oldest first, decided ones newest first", async () => {
    const idsOf = async (status: "Pending Review" | "Failed") => {
      const args = { status, paginationOpts: { numItems: 5, cursor: null } };
      return (await root.as.query(api.admin.deposits.queue, args)).page.map(({ _id }) => _id);
    };
    const { depositId: first } = await submit(ada, await deposit());
    const { depositId: second } = await submit(ada, await deposit());
    expect(await idsOf("Pending Review")).toEqual([first, second]);
    for (const depositId of [first, second]) await reject(depositId);
    expect(await idsOf("Failed")).toEqual([second, first]);
  });

  test("concurrent approval and rejection decide once", async () => {
    const { depositId } = await submit(ada, await deposit());
    const results = await Promise.allSettled([approve(depositId), reject(depositId)]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expectSoundLedger(t);
  });

  test("is for administrators, and not for one's own cheque", async () => {
    const { depositId } = await submit(ada, await deposit());
    const call = ada.as.mutation(api.admin.deposits.approve, { depositId });
    expect(await refusalOf(call)).toBe("NOT_ADMIN");
    await t.run((ctx) => ctx.db.patch("users", ada.userId, { role: "admin" }));
    await expectRefusal(
      t,
      () => ada.as.mutation(api.admin.deposits.approve, { depositId }),
      "OWN_ACCOUNT_FORBIDDEN",
    );
  });
});
