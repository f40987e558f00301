/** The forms in which the HTTP API answers with values. */
import { expect, test } from "vitest";
import { startTestServer } from "./testServer";

test("the HTTP API answers in the format a call asks for, by default in plain JSON, and runs nothing of components", async () => {
  const { origin } = await startTestServer({ isRedacting: true });
  const headers = { "Content-Type": "application/json" };
  const post = async (route: string, body: object): Promise<unknown> => {
    const init = { method: "POST", body: JSON.stringify(body), headers };
    return (await fetch(`${origin}/api/${route}`, init)).json();
  };
  const increment = { path: "messages:increment", args: { name: "a" } };
  const values = [];
  for (const format of [undefined, "json", "convex_encoded_json", "export_json"]) {
    values.push(await post("mutation", { ...increment, format }));
  }
  const value = (shown: unknown) => ({ status: "success", value: shown });
  const encoded = { $integer: "AwAAAAAAAAA=" };
  expect(values).toEqual([value("1"), value("2"), value(encoded), value(4)]);
  const unknown = await post("mutation", { ...increment, format: "yaml" });
  expect(unknown).toMatchObject({ code: "BadFormat" });
  const ofComponent = await post("mutation", { ...increment, componentPath: "x" });
  expect(ofComponent).toMatchObject({ code: "BadRequest" });
  expect(await post("run/messages/increment", { args: { name: "a" } })).toEqual(value("5"));
  const refused = { path: "messages:refuseQuery", args: {} };
  const queries = [refused, { ...refused, format: "convex_encoded_json" }];
  const amounts = ["5", { $integer: "BQAAAAAAAAA=" }];
  expect(await post("query_batch", { queries })).toMatchObject({
    results: amounts.map((amount) => ({ errorData: { code: "REFUSED", amount } })),
  });
  const asked = `${origin}/api/query?path=messages:refuseQuery&args={}&format=convex_json`;
  expect(await (await fetch(asked)).json()).toMatchObject({ errorData: { amount: amounts[1] } });
});
