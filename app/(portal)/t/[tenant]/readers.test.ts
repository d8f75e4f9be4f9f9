import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { readListState as readCustomersState } from "@/components/customers/list-state";
import { readMetricsState } from "@/components/metrics/state";
import { readListState } from "@/components/users/list-state";
import { authenticate } from "@/lib/access/authenticate";
import type { Caller } from "@/lib/access/caller";
import { projectRoot } from "@/lib/database/data-dir";
import { storeFailure } from "@/lib/database/failures";
import { closeStore } from "@/lib/database/open";
import { failureOf } from "@/lib/database/testing/failing";
import { makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";
import { readMetricsPage } from "./metrics/read-metrics-page";
import { readCustomerPage } from "./sites/[site]/customers/read-customer-page";
import { readDocument } from "./sites/[site]/previews/[key]/read-document";
import { readUserPage } from "./users/read-user-page";

/** Each reader of a page's data, with an address that asks for something and with one that asks for what cannot be. */
const readers: Record<string, Record<"right" | "wrong", (caller: Caller) => Promise<unknown>>> = {
  "users/read-user-page.ts": {
    right: (caller) => readUserPage(caller, readListState({})),
    wrong: (caller) => readUserPage(caller, readListState({ cursor: "W10" })),
  },
  "metrics/read-metrics-page.ts": {
    right: (caller) => readMetricsPage(caller, readMetricsState({ zone: "UTC" })),
    wrong: (caller) =>
      readMetricsPage(caller, readMetricsState({ zone: "UTC", period: "1-minute", range: "90d" })),
  },
  "sites/[site]/customers/read-customer-page.ts": {
    right: (caller) => readCustomerPage(caller, readCustomersState({})),
    wrong: (caller) => readCustomerPage(caller, readCustomersState({ cursor: "W10" })),
  },
  "sites/[site]/previews/[key]/read-document.ts": {
    right: (caller) => readDocument(caller, "one", "home"),
    wrong: (caller) => readDocument(caller, "one", "home"),
  },
};

let caller: Caller;

beforeAll(async () => {
  const tenant = await makeTenant();
  const { headers } = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
  const origin = { requestId: "req_1", address: "127.0.0.1", agent: "test" };
  const asked = { tenantId: tenant, accepted: ["session" as const], origin, operation: "test" };
  caller = { ...(await authenticate(new Headers(headers), asked)).caller, siteId: "one" };
});

test("every reader is among them", async () => {
  const here = join(projectRoot(), "app/(portal)/t/[tenant]");
  const files = await readdir(here, { recursive: true });
  const found = files.filter((file) => /(?:^|\/)read-[^/]+\.tsx?$/.test(file));
  expect(found.toSorted()).toEqual(Object.keys(readers).toSorted());
});

test.each(Object.entries(readers))(
  "%s: nothing where the address asks for what cannot be",
  async (_, { wrong }) => {
    const outcome = await wrong(caller).catch((error: unknown) => String(error));
    expect([undefined, "Error: NEXT_HTTP_ERROR_FALLBACK;404"]).toContain(outcome);
  },
);

test("an unreachable store is not an empty result: each reader fails with the store's error", async () => {
  const { DATABASE_URL } = process.env;
  await closeStore();
  process.env.DATABASE_URL = "postgres://nobody@127.0.0.1:9/none";
  try {
    for (const [file, { right }] of Object.entries(readers))
      expect(storeFailure(await failureOf(right(caller))), file).toBe("away");
  } finally {
    await closeStore();
    process.env.DATABASE_URL = DATABASE_URL;
  }
});
