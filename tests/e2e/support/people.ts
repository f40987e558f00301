/** The demo people and codes of the README, as the end-to-end tests use them. */
export const DEMO_PASSWORD = "Wrenmoor-Demo-2026";

export const DEMO = {
  admin: "admin@demo.example",
  maya: "maya@demo.example",
  omar: "omar@demo.example",
  lena: "lena@demo.example",
  rui: "rui@demo.example",
  nora: "nora@demo.example",
  vip: "vip@demo.example",
  lock: "lock@demo.example",
} as const;

/** Each of these works once per session. */
export const DEMO_CODES = ["204816", "319527", "428639", "537741", "646852"] as const;

/** What an administrator fills in for a new user, by label. */
export const NEW_USER = {
  "Full Name": "Dana Whitfield",
  Email: "dana@mail.example",
  "Phone Number": "(555) 010-0177",
  Password: DEMO_PASSWORD,
  "Street Address": "4 Mill Lane",
  City: "Albany",
  State: "NY",
  "ZIP Code": "12207",
};
