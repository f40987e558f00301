/** Titles, back, forward and reload on the member's pages; addresses that do not exist. */
import { INSTITUTION } from "../../convex/shared/institution";
import { DEMO } from "./support/people";
import { expect, test } from "./support/test";

const PLACES = [
  { path: "/dashboard", title: /^Dashboard/ },
  { path: "/dashboard#quick-actions-billpay", panel: "Bill Pay", title: /^Dashboard/ },
  { path: "/dashboard#quick-actions-statements", panel: "Statements", title: /^Dashboard/ },
  { path: "/transactions", title: /^Transactions/ },
  { path: "/settings/profile", title: /^Profile Settings/ },
  { path: "/settings/account", title: /^Account Settings/ },
] as const;

test(
  "every page has its name in the title and is the same after reload, back and forward",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya);
    const expectPlace = async (place: (typeof PLACES)[number]) => {
      await expect(page).toHaveURL(new RegExp(`${place.path}$`));
      await expect(page).toHaveTitle(place.title);
      await expect(page).toHaveTitle(/Wrenmoor Credit Union$/);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      if (!("panel" in place)) return;
      await expect(page.getByRole("heading", { level: 2, name: place.panel })).toBeVisible();
    };
    for (const place of PLACES) {
      await page.goto(new URL(place.path, page.url()).href);
      await expectPlace(place);
      await page.reload();
      await expectPlace(place);
    }
    for (const place of PLACES.slice(0, -1).toReversed()) {
      await page.goBack();
      await expectPlace(place);
    }
    for (const place of PLACES.slice(1)) {
      await page.goForward();
      await expectPlace(place);
    }
  },
);

test(
  "an unknown address returns status 404 with a 'not found' page",
  { tag: "@long" },
  async ({ server, request, visit }) => {
    for (const path of ["/nowhere", "/dashboard/nowhere", "/admin/nowhere", "/assets/nowhere.js"]) {
      expect((await request.get(server.url + path)).status(), path).toBe(404);
    }
    for (const path of ["/dashboard", "/transactions", "/admin/audit", "/pending-approval"]) {
      expect((await request.get(server.url + path)).status(), path).toBe(200);
    }
    const html = await (await request.get(`${server.url}/nowhere`)).text();
    expect(html).toContain("There is nothing at this address.");
    expect(html).toContain('<meta name="robots" content="noindex" />');
    // Inside the application the same page is rendered without a request.
    const page = await visit("/products");
    // A reaction to a click shows that the application has started (hydration).
    await page.getByRole("tab", { name: "Business" }).click();
    await expect(page.getByRole("tab", { name: "Business" })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await page.evaluate(() => {
      window.history.pushState(null, "", "/nowhere");
      window.dispatchEvent(new PopStateEvent("popstate"));
    });
    await expect(page.getByRole("heading", { level: 1, name: "Page not found" })).toBeVisible();
    await page.getByRole("link", { name: "Go to the home page" }).click();
    await expect(page).toHaveURL(`${server.url}/`);
  },
);

test("Back shows nothing of the bank before the server was asked, as the page is loaded anew", async ({
  signInAs,
}) => {
  const page = await signInAs(DEMO.maya);
  const amount = page.getByRole("region", { name: "Transfer Money" }).getByLabel("Amount");
  await amount.fill("7.50");
  // The browser of these tests keeps no pages to go back to.
  const tell = (kind: "pagehide" | "pageshow") =>
    page.evaluate(
      (name) => void dispatchEvent(new PageTransitionEvent(name, { persisted: true })),
      kind,
    );
  await tell("pagehide");
  await expect(page.getByText("Available Balance")).toBeHidden();
  const isLoaded = page.waitForEvent("load");
  await tell("pageshow");
  await isLoaded;
  await expect(page.getByText("Available Balance")).toBeVisible();
  await expect(amount).toHaveValue("7.50");
});

test("an unknown address keeps the signed-in layout and links to the person's home page", async ({
  signInAs,
  server,
  expectConsole,
}) => {
  expectConsole(/status of 404/);
  for (const [who, home] of [
    [DEMO.maya, "/dashboard"],
    [DEMO.admin, "/admin"],
  ] as const) {
    const page = await signInAs(who);
    await page.goto(`${server.url}/nowhere`);
    await expect(page.getByRole("button", { name: /Account menu/ })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: "Page not found" })).toBeVisible();
    await page.getByRole("link", { name: "Go to your dashboard" }).click();
    await expect(page).toHaveURL(server.url + home);
  }
});

test(
  "the help tip stays open when the pointer moves onto it (WCAG 1.4.13)",
  { tag: "@long" },
  async ({ signInAs }) => {
    const page = await signInAs(DEMO.maya, { viewport: { width: 1280, height: 900 } });
    const help = await page.getByRole("button", { name: "Help" }).boundingBox();
    if (help === null) throw new Error("no Help button");
    const x = help.x + help.width / 2;
    await page.mouse.move(x, help.y + help.height / 2);
    const tip = page.getByRole("tooltip");
    await expect(tip).toBeVisible();
    const STEPS = 60;
    await page.mouse.move(x, help.y + 2 * help.height, { steps: STEPS });
    await expect(tip).toBeVisible();
    // The time zone does not stand alone in the last line.
    const hours = tip.getByText(INSTITUTION.supportHours);
    const tops = await hours.evaluate(({ firstChild }) => {
      const text = firstChild?.textContent ?? "";
      return [" EST", "8PM"].map((word) => {
        const range = document.createRange();
        const end = text.lastIndexOf(word) + word.length;
        range.setStart(firstChild!, end - 1);
        range.setEnd(firstChild!, end);
        return range.getBoundingClientRect().top;
      });
    });
    expect(tops[0]).toBe(tops[1]);
  },
);
