/** Attacks that need a browser, with their numbers of the threat model. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { api } from "../../convex/_generated/api";
import { adminClient, userIdOf } from "../support/backOffice";
import { signedInHttp } from "../support/wireClient";
import { DEMO, DEMO_CODES, DEMO_PASSWORD } from "./support/people";
import { codeStep, expect, passwordStep, test } from "./support/test";

const PAYLOADS = [
  "<script>window.attacked=1</script>",
  "<img src=x onerror=window.attacked=1>",
  '"><svg onload=window.attacked=1>',
  "javascript:window.attacked=1",
  "{{constructor.constructor('window.attacked=1')()}}",
  "${window.attacked=1}",
  "</title><script>window.attacked=1</script>",
  "&lt;script&gt;window.attacked=1&lt;/script&gt;",
];

const hasRunCode = (page: Page) => page.evaluate(() => "attacked" in window);

test("TH36 user text is shown literally and never executed, for members and staff", async ({
  server,
  signInAs,
}) => {
  const [root, vera] = [await adminClient(server.url), await signedInHttp(server.url, DEMO.vip)];
  const { contact, transfers } = api;
  for (const [index, text] of PAYLOADS.entries()) {
    await vera.mutation(transfers.submit, {
      transferType: "user",
      fromAccount: "Checking",
      recipientEmail: DEMO.maya,
      amountCents: 100n,
      reference: text,
      requestKey: `TH36 ${index}`,
    });
    await root.mutation(contact.send, {
      name: text,
      email: `x${index}@mail.example`,
      subject: "general",
      message: text,
      preferredContact: "email",
    });
  }
  await root.mutation(api.admin.transactions.addMany, {
    userId: await userIdOf(root, DEMO.maya),
    rows: PAYLOADS.map((description) => ({
      accountType: "Checking" as const,
      type: "credit" as const,
      amountCents: 100n,
      description,
      category: "Income" as const,
      date: Date.now() - 1_000,
      status: "Completed" as const,
    })),
    updateBalance: true,
    requestKey: "TH36",
  });
  const text = PAYLOADS.join(" ");
  const lena = await userIdOf(root, DEMO.lena);
  await root.mutation(api.admin.registrations.requestInformation, { userId: lena, text });

  const member = await signInAs(DEMO.maya);
  for (const payload of PAYLOADS) {
    await expect(member.getByText(payload, { exact: true }).first()).toBeVisible();
  }
  await member.getByRole("button", { name: /Notifications/ }).click();
  const notifications = member.getByRole("dialog", { name: "Notifications" });
  await expect(notifications.getByRole("listitem").first()).toBeVisible();
  expect(await hasRunCode(member)).toBe(false);

  const staff = await signInAs(DEMO.admin);
  await staff.getByRole("navigation", { name: "Back office" }).getByText("Messages").click();
  for (const payload of PAYLOADS) {
    await expect(staff.getByText(payload, { exact: true }).first()).toBeVisible();
  }
  expect(await hasRunCode(staff)).toBe(false);
});

const NOBODY = "nobody@mail.example";

test("TH50 a code in a URL signs nobody in", async ({ server, visit }) => {
  for (const address of ["/?code=x", "/login?code=123456", "/dashboard?code=x"]) {
    const page = await visit("/about");
    const frames: string[] = [];
    page.on("websocket", (socket) =>
      socket.on("framesent", ({ payload }) => frames.push(String(payload))),
    );
    await page.goto(server.url + address);
    if (address === "/?code=x") {
      const main = page.getByRole("navigation", { name: "Main" });
      await main.getByRole("link", { name: "Sign In" }).click();
    }
    // The code would be sent when the application starts, and thus before this attempt.
    await passwordStep(page, NOBODY);
    await expect.poll(() => frames.some((frame) => frame.includes(NOBODY))).toBe(true);
    expect(frames.filter((frame) => frame.includes("auth:signIn"))).toHaveLength(1);
  }
});

test("TH51 the client's files contain no server code, no key, no code and no protected address", async ({
  server,
}) => {
  const keys = JSON.parse(readFileSync(path.join(server.dataDir, "keys.json"), "utf8")) as object;
  const client = path.resolve("dist", "client");
  const files = readdirSync(client, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(js|html|css|json|txt)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(20);
  const secrets = [
    ...Object.values(keys).map((value) => String(value).slice(0, 40)),
    ...DEMO_CODES,
    DEMO_PASSWORD,
    DEMO.vip,
    DEMO.admin,
    "JWT_PRIVATE_KEY",
    "OTP_HMAC_KEY",
    "sessionFactors",
    "by_authSession",
    "sourceMappingURL",
  ];
  const found = files.flatMap((name) => {
    const text = readFileSync(path.join(client, name), "utf8");
    return secrets.filter((secret) => text.includes(secret)).map((secret) => `${name}: ${secret}`);
  });
  expect(found).toEqual([]);
});

test("TH62 a page left open shows a warning, keeps its input, and is cleared when the session ends", async ({
  letTimePass,
  signInAs,
}) => {
  const page = await signInAs(DEMO.admin);
  // A second page of the back office, to have one to go back to.
  await page.getByRole("button", { name: new RegExp(DEMO.maya) }).click();
  await expect(page).toHaveURL(/user=/);
  await page.clock.install();
  await page.getByRole("button", { name: "Create New User" }).click();
  await page.getByLabel("Full Name").fill("Half a name");
  await letTimePass(page, "13:01");
  const warning = page.getByRole("alertdialog", { name: "Are you still there?" });
  await expect(warning).toBeVisible();
  await expect(warning).toContainText("What you have typed is kept");
  // The next key press comes from the person who was typing.
  await expect(warning.getByRole("button", { name: "Stay signed in" })).toBeFocused();
  await page.keyboard.press("Space");
  await expect(page.getByLabel("Full Name")).toHaveValue("Half a name");
  await letTimePass(page, "15:01");
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText(DEMO.maya)).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText(DEMO.maya)).toHaveCount(0);
});

/** Another tab of the same session, opened by a link, so that the browser copies the session storage. */
async function openSecondTab(page: Page, path: string): Promise<Page> {
  const opened = page.context().waitForEvent("page");
  await page.evaluate((address) => void window.open(address), path);
  return opened;
}

test("TH62 every tab warns two minutes before the session ends, keeps its input, and continues or ends with the others", async ({
  letTimePass,
  server,
  signInAs,
}) => {
  // Under the recommended policies members have an idle limit of 15 minutes.
  const root = await adminClient(server.url);
  await root.mutation(api.admin.policies.applyRecommended, {});
  const first = await signInAs(DEMO.omar);
  const second = await openSecondTab(first, "/dashboard#quick-actions-billpay");
  const tabs = [first, second];
  await first.getByRole("tab", { name: "International" }).click();
  await first.getByLabel("Recipient Name").fill("Ana Lima");
  const memo = second.getByRole("region", { name: "Quick Actions" }).getByLabel("Memo");
  await memo.fill("Half typed");

  // One clock for all tabs of the browser.
  await first.clock.install();
  await second.reload();
  await first.reload();
  await first.getByRole("tab", { name: "International" }).click();
  const areTextsKept = async () => {
    await expect(first.getByLabel("Recipient Name")).toHaveValue("Ana Lima");
    await expect(memo).toHaveValue("Half typed");
  };
  await areTextsKept();
  const warningIn = (tab: Page) => tab.getByRole("alertdialog", { name: "Are you still there?" });
  await letTimePass(first, "12:50");
  for (const tab of tabs) await expect(warningIn(tab)).toHaveCount(0);
  // Reloading a page counts as activity in every tab, so that both warn later.
  await second.reload();
  await areTextsKept();
  await letTimePass(first, "12:50");
  for (const tab of tabs) await expect(warningIn(tab)).toHaveCount(0);
  await letTimePass(first, "00:15");
  for (const tab of tabs) {
    await expect(warningIn(tab)).toContainText("What you have typed is kept");
    await expect(warningIn(tab).getByRole("timer")).toHaveText(/^1:[45]\d$/);
  }
  await warningIn(second).getByRole("button", { name: "Stay signed in" }).click();
  for (const tab of tabs) await expect(warningIn(tab)).toHaveCount(0);
  await areTextsKept();

  await letTimePass(first, "15:01");
  for (const tab of tabs) await expect(tab).toHaveURL(/\/login/);
  await passwordStep(second, DEMO.omar);
  await codeStep(second, DEMO_CODES[1]);
  await expect(memo).toHaveValue("Half typed");
});

test("when a session is ended elsewhere, its page loses its data at once", async ({
  server,
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  await expect(page.locator("main")).toContainText("$4,250.75");
  const root = await adminClient(server.url);
  await root.mutation(api.admin.users.setDisabled, {
    userId: await userIdOf(root, DEMO.maya),
    isDisabled: true,
    reason: "reported",
  });
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText("$4,250.75")).toHaveCount(0);
});
