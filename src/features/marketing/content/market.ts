export interface Quote {
  readonly name: string;
  readonly note: string;
  readonly price: string;
  readonly changePercent: number;
  /** Points of the small line, oldest first, in any unit. */
  readonly trend: readonly number[];
}

/** Sample figures: shown with the words "Sample data" wherever no live widget is configured. */
export const SAMPLE_QUOTES: readonly Quote[] = [
  {
    name: "S&P 500",
    note: "US large companies",
    price: "5,864.67",
    changePercent: 0.4,
    trend: [30, 33, 31, 36, 35, 40, 38, 43, 45],
  },
  {
    name: "US 100",
    note: "US technology",
    price: "20,324.04",
    changePercent: 0.66,
    trend: [22, 20, 25, 27, 26, 31, 35, 34, 39],
  },
  {
    name: "EUR/USD",
    note: "Euro to US dollar",
    price: "1.0867",
    changePercent: -0.12,
    trend: [28, 30, 27, 28, 25, 26, 24, 25, 23],
  },
  {
    name: "Bitcoin",
    note: "US dollars",
    price: "68,418.79",
    changePercent: 1.83,
    trend: [20, 24, 22, 21, 27, 26, 30, 33, 38],
  },
];
