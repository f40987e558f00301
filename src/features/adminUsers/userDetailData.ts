/** One user as the detail pane shows them; the shape of admin/users:get. */
import type { FunctionReturnType } from "convex/server";
import type { api } from "#api";

export type UserDetailData = NonNullable<FunctionReturnType<typeof api.admin.users.get>>;
