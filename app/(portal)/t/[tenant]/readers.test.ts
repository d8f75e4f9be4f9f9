import "next/dist/server/node-environment-baseline.js";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import {
  type WorkStore,
  workAsyncStorage,
} from "next/dist/server/app-render/work-async-storage.external.js";
import {
  type RequestStore,
  workUnitAsyncStorage,
} from "next/dist/server/app-render/work-unit-async-storage.external.js";
import { beforeAll, expect, test } from "vitest";
import { platformCaller } from "@/app/(portal)/platform/platform-caller";
import { readListState as readCustomersState } from "@/components/customers/list-state";
import { readMetricsState } from "@/components/metrics/state";
import type { SeedsProps } from "@/components/shell/seed";
import { tenantKeys } from "@/components/tenants/query-keys";
import { msg } from "@/components/texts/t";
import { readListState } from "@/components/users/list-state";
import { authenticate } from "@/lib/access/authenticate";
import type { Caller } from "@/lib/access/caller";
import { portalCookieName, sealSessions } from "@/lib/access/portal-cookie";
import { projectRoot } from "@/lib/database/data-dir";
import { storeFailure } from "@/lib/database/failures";
import { closeStore, db } from "@/lib/database/open";
import { failureOf } from "@/lib/database/testing/failing";
import { makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";
import { readMetricsPage } from "./metrics/read-metrics-page";
import { settingsFor } from "./settings/settings-for";
import { readCustomerPage } from "./sites/[site]/customers/read-customer-page";
import { readDocument } from "./sites/[site]/previews/[key]/read-document";
import { userTitle } from "./users/[id]/user-title";
import { readUserPage } from "./users/read-user-page";

/** Each reader of a page's data, with an address that has parameters and with one whose parameters are invalid. */
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

/** Readers that find the caller themselves, from the cookie of the request that renders the page. */
const cookieReaders: Record<string, () => Promise<unknown>> = {
  "platform/platform-caller.ts": () => platformCaller("/platform/tenants"),
  "users/[id]/user-title.ts": () =>
    userTitle(msg("Users"))({
      params: Promise.resolve({ tenant: caller.tenantId, id: caller.userId }),
      searchParams: Promise.resolve({}),
    }),
};

let caller: Caller;
let cookie: string;
/** The cookie of a session that was not used yet, so that it is in no cache. */
let unseen: string;

const cookieOf = async (tenant: string, sessionId: string) =>
  `${portalCookieName()}=${await sealSessions(new Map([[tenant, sessionId]]), 3600)}`;

/** Runs it as Next runs a page for a browser with this cookie. */
const inRequest = <Result>(of: string, run: () => Promise<Result>): Promise<Result> =>
  workAsyncStorage.run({ route: "/" } as WorkStore, () =>
    workUnitAsyncStorage.run(
      { type: "request", phase: "render", headers: new Headers({ cookie: of }) } as RequestStore,
      run,
    ),
  );

beforeAll(async () => {
  const tenant = await makeTenant();
  const { headers, sessionId } = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
  const another = await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] });
  unseen = await cookieOf(tenant, another.sessionId);
  const origin = { requestId: "req_1", address: "127.0.0.1", agent: "test" };
  const asked = { tenantId: tenant, accepted: ["session" as const], origin, operation: "test" };
  caller = { ...(await authenticate(new Headers(headers), asked)).caller, siteId: "one" };
  cookie = await cookieOf(tenant, sessionId);
});

test("every reader is covered", async () => {
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

test("readers by cookie: nothing, or only the page's name, for a caller without the permission", async () => {
  const { tenantId } = caller;
  const other = await makeSignedInUser(tenantId, { roleIds: ["portal.default"] });
  const weak = await cookieOf(tenantId, other.sessionId);
  const seen = async (of: string) =>
    Promise.all(Object.values(cookieReaders).map((read) => inRequest(of, read)));
  expect(await seen(weak)).toEqual([undefined, { title: "Users" }]);
  const [none, named] = await seen(cookie);
  expect([none, String(Object(named).title).endsWith(" · Users")]).toEqual([undefined, true]);
});

test("a settings card that cannot be read is left to the browser, and the others have their data", async () => {
  await db().execute(sql`alter table tenant_quotas rename to elsewhere`);
  const page = await settingsFor(caller).finally(() =>
    db().execute(sql`alter table elsewhere rename to tenant_quotas`),
  );
  const entries: SeedsProps["entries"] = page.props.entries;
  const missing = entries.filter(([, data]) => data === undefined);
  expect(missing.map(([key]) => key)).toEqual([tenantKeys.quotas(caller.tenantId)]);
  expect(entries.length).toBeGreaterThan(5);
});

test("an unreachable store is not an empty result: each reader fails with the store's error", async () => {
  const { DATABASE_URL } = process.env;
  // Set before the store is closed: pending writes, such as a session's last use, would otherwise reopen the right store.
  process.env.DATABASE_URL = "postgres://nobody@127.0.0.1:9/none";
  await closeStore();
  try {
    for (const [file, { right }] of Object.entries(readers))
      expect(storeFailure(await failureOf(right(caller))), file).toBe("away");
    for (const [file, read] of Object.entries(cookieReaders))
      expect(storeFailure(await failureOf(inRequest(unseen, read))), file).toBe("away");
  } finally {
    process.env.DATABASE_URL = DATABASE_URL;
    await closeStore();
  }
});
