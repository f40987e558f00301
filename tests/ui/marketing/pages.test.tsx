import { act, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { INSTITUTION } from "../../../convex/shared/institution";
import { COUNTER_TICK_MS } from "../../../convex/shared/limits";
import { FOOTER_COLUMNS, LEGAL_LINKS } from "../../../src/components/layout/publicLinks";
import { Footer } from "../../../src/components/layout/Footer";
import { ScrollToTop } from "../../../src/components/layout/ScrollToTop";
import { Counters } from "../../../src/features/marketing/about/Counters";
import { Timeline } from "../../../src/features/marketing/about/Timeline";
import { COUNTER_STEPS } from "../../../src/features/marketing/about/useCountUp";
import { CalculatorsPage } from "../../../src/features/marketing/calculators/CalculatorsPage";
import { readLoan } from "../../../src/features/marketing/calculators/loanInput";
import { HomePage } from "../../../src/features/marketing/home/HomePage";
import { ProductsPage } from "../../../src/features/marketing/products/ProductsPage";
import { NOT_YET_ONLINE_PATHS, PATHS } from "../../../src/lib/paths";
import { expectNoAxeViolations, renderFeature } from "../../support/renderFeature";

const FINAL_VALUES = ["100,000", "$2,500M", "98%", "25", "$5M"];

/** An observer whose element comes into view when the test says so. */
class ManualObserver {
  static arrive: () => void = () => undefined;
  constructor(callback: IntersectionObserverCallback) {
    ManualObserver.arrive = () =>
      callback(
        [{ isIntersecting: true } as IntersectionObserverEntry],
        this as unknown as IntersectionObserver,
      );
  }
  observe(): void {}
  disconnect(): void {}
}

beforeEach(() => vi.stubGlobal("IntersectionObserver", ManualObserver));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("Scroll to top", () => {
  test.each([
    [false, "smooth"],
    [true, "auto"],
  ])("less motion wanted: %s", async (matches, behavior) => {
    vi.spyOn(window, "matchMedia").mockReturnValue({ matches } as MediaQueryList);
    const scrollTo = vi.spyOn(window, "scrollTo").mockImplementation(() => undefined);
    vi.spyOn(window, "scrollY", "get").mockReturnValue(301);
    const { user } = renderFeature(<ScrollToTop />);
    await user.click(screen.getByRole("button", { name: "Scroll to top" }));
    expect(scrollTo).toHaveBeenCalledExactlyOnceWith({ top: 0, behavior });
    vi.restoreAllMocks();
  });
});

describe("home", () => {
  test("names its four markets as sample data and leads where the specification says", async () => {
    renderFeature(<HomePage />);
    for (const market of ["S&P 500", "US 100", "EUR/USD", "Bitcoin"]) {
      expect(screen.getByText(market)).toBeVisible();
    }
    expect(screen.getByText("Sample data")).toBeVisible();
    const links = {
      "Get Started": "/signup",
      "Learn More": "/products",
      "Online Banking": "/login",
      "Loan Calculator": "/calculators",
      "Schedule Meeting": "/contact",
    };
    for (const [name, href] of Object.entries(links)) {
      const link = screen.getByRole("link", { name: new RegExp(`^${name}`) });
      expect(link).toHaveAttribute("href", href);
    }
    await expectNoAxeViolations();
  });

  test("keeps the local panel while the market widget does not answer", () => {
    vi.stubGlobal(
      "fetch",
      vi.fn(() => new Promise(() => undefined)),
    );
    renderFeature(<HomePage marketWidgetUrl="https://widget.example/" />);
    expect(screen.getByText("Sample data")).toBeVisible();
    expect(screen.queryByTitle("Market overview")).not.toBeInTheDocument();
  });

  test("shows the market widget in a sandboxed lazy frame once it answers", async () => {
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => new Response()),
    );
    renderFeature(<HomePage marketWidgetUrl="https://widget.example/" />);
    const frame = await screen.findByTitle("Market overview");
    expect(frame).toHaveAttribute("sandbox");
    expect(frame).toHaveAttribute("loading", "lazy");
    expect(screen.queryByText("Sample data")).not.toBeInTheDocument();
  });
});

describe("about", () => {
  test("counts once in view, from zero to the final values", () => {
    vi.useFakeTimers();
    renderFeature(<Counters />);
    for (const value of FINAL_VALUES) expect(screen.getByText(value)).toBeVisible();
    act(ManualObserver.arrive);
    act(() => {
      vi.advanceTimersByTime(COUNTER_TICK_MS);
    });
    expect(screen.getByText("1,333")).toBeVisible();
    act(() => {
      vi.advanceTimersByTime(COUNTER_TICK_MS * COUNTER_STEPS);
    });
    for (const value of FINAL_VALUES) expect(screen.getByText(value)).toBeVisible();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("shows the final values at once when motion is unwelcome", () => {
    vi.useFakeTimers();
    vi.spyOn(window, "matchMedia").mockReturnValue({ matches: true } as MediaQueryList);
    ManualObserver.arrive = () => undefined;
    renderFeature(<Counters />);
    act(ManualObserver.arrive);
    act(() => {
      vi.advanceTimersByTime(COUNTER_TICK_MS);
    });
    for (const value of FINAL_VALUES) expect(screen.getByText(value)).toBeVisible();
  });

  test("tells the history from 1973 to 2023 in order", () => {
    renderFeature(<Timeline />);
    const years = within(screen.getByRole("list"))
      .getAllByText(/^\d{4}$/)
      .map((year) => Number(year.textContent));
    expect(years[0]).toBe(1973);
    expect(years.at(-1)).toBe(2023);
    expect(years).toEqual([...years].sort((one, other) => one - other));
  });
});

describe("products", () => {
  test("shows personal products first and each leads to contact", () => {
    renderFeature(<ProductsPage />, "/products");
    expect(screen.getByRole("tab", { name: "Personal" })).toHaveAttribute("aria-selected", "true");
    const panel = screen.getByRole("tabpanel", { name: "Personal" });
    for (const figure of ["3.50% APY", "3.99% APR", "5.99% APR", "0% APR for 15 months"]) {
      expect(within(panel).getByText(figure)).toBeVisible();
    }
    for (const words of ["from 3.99% APR", "from 5.99% APR"]) {
      expect(panel).toHaveTextContent(words);
    }
    for (const link of within(panel).getAllByRole("link", { name: "Learn More" })) {
      expect(link).toHaveAttribute("href", "/contact");
    }
    expect(within(panel).getByRole("link", { description: "Mortgages" })).toBeVisible();
  });

  test("the arrow keys move between the two tabs", async () => {
    const { user } = renderFeature(<ProductsPage />, "/products");
    screen.getByRole("tab", { name: "Personal" }).focus();
    await user.keyboard("{ArrowRight}");
    const business = screen.getByRole("tab", { name: "Business" });
    expect(business).toHaveAttribute("aria-selected", "true");
    expect(business).toHaveFocus();
    // The browser's own Back.
    await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
    expect(business).toHaveFocus();
    await user.keyboard("{ArrowRight}");
    expect(screen.getByRole("tab", { name: "Personal" })).toHaveFocus();
  });

  test("a link to a business product opens its tab", async () => {
    renderFeature(<ProductsPage />, "/products#business-loans");
    expect(screen.getByRole("tab", { name: "Business" })).toHaveAttribute("aria-selected", "true");
    const panel = screen.getByRole("tabpanel", { name: "Business" });
    for (const words of ["from 4.99% APR", "up to 2.50% APY"]) {
      expect(panel).toHaveTextContent(words);
    }
    await expectNoAxeViolations();
  });
});

describe("loan calculator", () => {
  test("works out the payment while it is typed", async () => {
    const { user } = renderFeature(<CalculatorsPage />);
    const result = screen.getByRole("region", { name: "Your payment" });
    expect(result).toHaveTextContent("$483.20");
    await user.clear(screen.getByLabelText("Loan amount"));
    await user.type(screen.getByLabelText("Loan amount"), "200000");
    await user.clear(screen.getByLabelText("Annual rate (%)"));
    await user.type(screen.getByLabelText("Annual rate (%)"), "6");
    await user.clear(screen.getByLabelText("Term (years)"));
    await user.type(screen.getByLabelText("Term (years)"), "30");
    expect(result).toHaveTextContent("$1,199.10");
    const table = screen.getByRole("table", { name: "Amortization by year" });
    expect(within(table).getAllByRole("row")).toHaveLength(31);
    await expectNoAxeViolations();
  });

  test("prints the rate once as a percentage, however it was typed", async () => {
    const { user } = renderFeature(<CalculatorsPage />);
    await user.type(screen.getByLabelText("Annual rate (%)"), " %");
    expect(screen.getByText("$25,000.00 at 5.99% a year over 5 years")).toBeInTheDocument();
  });

  test("says of the chart what is true of the loan, also without interest", async () => {
    const { user } = renderFeature(<CalculatorsPage />);
    const chart = () => screen.getByRole("img").getAttribute("aria-label");
    expect(chart()).toBe("Payments over 5 years: $3,992.25 of interest in total, less each year");
    await user.clear(screen.getByLabelText("Annual rate (%)"));
    await user.type(screen.getByLabelText("Annual rate (%)"), "0");
    expect(chart()).toBe("Payments over 5 years: $0.00 of interest in total");
  });

  test("shows every month when asked", async () => {
    const { user } = renderFeature(<CalculatorsPage />);
    await user.selectOptions(screen.getByLabelText("Show payments"), "Month");
    const months = screen.getByRole("table", { name: "Amortization by month" });
    expect(within(months).getAllByRole("row")).toHaveLength(61);
    expect(within(months).getByRole("row", { name: /^60 / })).toHaveTextContent("$0.00");
  });

  test("says what it cannot read and shows no figures", async () => {
    const { user } = renderFeature(<CalculatorsPage />);
    await user.clear(screen.getByLabelText("Annual rate (%)"));
    await user.type(screen.getByLabelText("Annual rate (%)"), "99");
    expect(screen.getByLabelText("Annual rate (%)")).toBeInvalid();
    expect(screen.getByRole("region", { name: "Your payment" })).not.toHaveTextContent("$");
    expect(screen.queryByRole("table")).not.toBeInTheDocument();
  });

  test.each([
    ["0 years", { amount: "1000", ratePercent: "5", years: "0" }, "years"],
    ["half a year", { amount: "1000", ratePercent: "5", years: "1.5" }, "years"],
    ["a negative rate", { amount: "1000", ratePercent: "-1", years: "5" }, "ratePercent"],
    ["four decimals", { amount: "1000", ratePercent: "5.1234", years: "5" }, "ratePercent"],
    ["99.99 dollars", { amount: "99.99", ratePercent: "5", years: "5" }, "amount"],
    ["words", { amount: "lots", ratePercent: "5", years: "5" }, "amount"],
  ])("refuses %s", (_, draft, field) => {
    const reading = readLoan(draft);
    expect("problems" in reading ? Object.keys(reading.problems) : []).toEqual([field]);
  });
});

describe("footer", () => {
  test("shows the routing number, the insurance and the copyright, and knows every link", async () => {
    renderFeature(<Footer />);
    expect(screen.getByText(INSTITUTION.routingNumber)).toBeVisible();
    expect(screen.getByText(/NCUA/)).toBeVisible();
    expect(screen.getByText(/©/)).toBeVisible();
    const known: readonly string[] = [...Object.values(PATHS), ...NOT_YET_ONLINE_PATHS];
    const links = [...FOOTER_COLUMNS.flatMap((column) => column.links), ...LEGAL_LINKS];
    expect(links.map((link) => link.to).filter((to) => !known.includes(to))).toEqual([]);
    await expectNoAxeViolations();
  });
});
