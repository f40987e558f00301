import { describe, expect, test } from "vitest";
import { readUserListUrl, writeUserListUrl } from "../../../src/features/adminUsers/userFilters";

describe("the user list's address", () => {
  test("an empty address shows everyone and selects nobody", () => {
    expect(readUserListUrl(new URLSearchParams())).toEqual({
      filter: "all",
      search: "",
      userId: null,
    });
  });

  test("an unknown status falls back to everyone", () => {
    expect(readUserListUrl(new URLSearchParams("status=nonsense")).filter).toBe("all");
  });

  test("a change keeps the rest and leaves defaults out", () => {
    const start = new URLSearchParams("status=pending&user=abc&q=may");
    expect(writeUserListUrl(start, { filter: "all" }).toString()).toBe("user=abc&q=may");
    expect(writeUserListUrl(start, { search: "" }).toString()).toBe("status=pending&user=abc");
    expect(writeUserListUrl(start, { userId: null }).toString()).toBe("status=pending&q=may");
    expect(start.toString()).toBe("status=pending&user=abc&q=may");
  });
});
