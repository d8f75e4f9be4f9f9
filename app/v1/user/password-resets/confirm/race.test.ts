import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { transaction } from "@/lib/database/open";
import { tenants } from "@/lib/database/schema/schema";
import { awaitLockWaits } from "@/lib/database/testing/lock-waits";
import { type Answered, testServer } from "@/lib/http/testing/test-server";
import { makeSignedInUser, makeTenant, type NewUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
const password = "four words in a row";
const newPassword = "another four words here";
let tenant: string;
let admin: { userId: string; headers: Headers };

const signedIn = (given: NewUser) => makeSignedInUser(tenant, { password, ...given });

// A new tenant for each case: deferred writes of the previous one would wait for the same row.
beforeEach(async () => {
  tenant = await makeTenant();
  admin = await signedIn({ roleIds: ["tenant.admin"] });
});

const issue = (by: typeof admin, userId: string) =>
  send(`POST /v1/user/${userId}/password-reset`, { headers: by.headers });
const confirm = (token: string, given = newPassword) =>
  send("POST /v1/user/password-resets/confirm", {
    headers: { "X-Service-Tenant": tenant },
    body: { token, password: given },
  });

const signIn = (login: string, given: string) =>
  send("POST /v1/user/session-login", {
    headers: { "X-Service-Tenant": tenant },
    body: { tenant, login, password: given },
  });

interface Race {
  reset: Promise<Answered>;
  change: Promise<Answered>;
}

/**
 * Both requests have been checked and hashed, and wait for the tenant's row, in this order. The row stays unchanged: waiters for a changed
 * row look up its new version, and the second of them may find it first.
 */
async function race(first: keyof Race, sent: Record<keyof Race, () => Promise<Answered>>) {
  return transaction(async (tx): Promise<Race> => {
    await tx.select().from(tenants).where(eq(tenants.tenantId, tenant)).for("update");
    const earlier = sent[first]();
    await awaitLockWaits(tx);
    const later = sent[first === "reset" ? "change" : "reset"]();
    await awaitLockWaits(tx, 2);
    return first === "reset"
      ? { reset: earlier, change: later }
      : { reset: later, change: earlier };
  });
}

test.each([
  { first: "reset", changed: 400 },
  // The thief may even have changed the password before: a reset that has started takes precedence.
  { first: "change", changed: 204 },
] as const)(
  "a password change that races with a reset loses: the $first is written first",
  async ({ first, changed }) => {
    const thief = await signedIn({ roleIds: ["portal.default"] });
    const { body } = await issue(admin, thief.userId);
    const { reset, change } = await race(first, {
      reset: () => confirm(body.token),
      change: () =>
        send("PUT /v1/user/password", {
          headers: thief.headers,
          body: { current: password, password: "the thief's own words" },
        }),
    });
    expect([(await change).status, (await reset).status]).toEqual([changed, 204]);
    expect((await signIn(thief.login, "the thief's own words")).status).toBe(401);
    expect((await signIn(thief.login, newPassword)).status).toBe(200);
  },
);
