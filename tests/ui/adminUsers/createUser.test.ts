import { renderHook } from "@testing-library/react";
import { ConvexError } from "convex/values";
import { expect, test } from "vitest";
import { messageFor } from "../../../convex/shared/errors";
import type { CreateUserCommand } from "../../../convex/shared/rules/createUser";
import { useCreateUser } from "../../../src/features/adminUsers/useCreateUser";
import { fakeServer } from "../../support/convexReact";

test.each([
  ["SECOND_ADMIN_REQUIRED", /a second administrator\. Create the user with balances of 0/],
  ["SECOND_ADMIN_FOR_ROLE", /approval\. Create the user with the role "User"/],
  ["EMAIL_TAKEN", /^An account with this email already exists\.$/],
] as const)("refused with %s, it says what can be done instead", async (code, text) => {
  fakeServer.calls = {
    "admin/users:create": async () => {
      throw new ConvexError({ code, message: messageFor(code, { limit: "$1,000.00" }) });
    },
  };
  const { result } = renderHook(() => useCreateUser(() => {}));
  expect(await result.current.onCreate({} as CreateUserCommand)).toMatch(text);
});
