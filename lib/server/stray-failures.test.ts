import { Client } from "pg";
import { expect, test } from "vitest";
import { failureOf } from "@/lib/database/testing/failing";
import { endsProcess } from "./failures";

test("an unhandled rejection ends the process, unless the store failed", async () => {
  const client = new Client({ connectionString: "postgres://nobody@127.0.0.1:9/none" });
  const refused = await failureOf(client.connect());
  expect(endsProcess(refused, "unhandledRejection")).toBe(false);
  expect(endsProcess(refused, "uncaughtException")).toBe(true);
  expect(endsProcess(new TypeError("a mistake of ours"), "unhandledRejection")).toBe(true);
});
