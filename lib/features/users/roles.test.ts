import { beforeAll, describe, expect, test } from "vitest";
import { authenticate } from "@/lib/access/authenticate";
import type { Caller } from "@/lib/access/caller";
import { failureOf } from "@/lib/database/testing/failing";
import { createServiceKey } from "@/lib/features/api-keys/create";
import { handOverKey, rotateApiKey } from "@/lib/features/api-keys/rotate";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { setUserRoles } from "./roles";

const origin = { requestId: "req-1", address: "127.0.0.1", agent: "test" };
const validTo = new Date(Date.now() + 86_400_000);
const raised = { roleIds: ["portal.customers.mgmt", "portal.users.mgmt"], sites: {} };
let tenant: string;
let manager: Caller;
let colleague: Caller;

async function callerOf(headers: Record<string, string>): Promise<Caller> {
  const read = new Headers(headers);
  const { caller } = await authenticate(read, {
    tenantId: tenant,
    accepted: ["session", "apiKey"],
    origin,
    operation: "test",
  });
  return caller;
}

async function signedIn(): Promise<Caller> {
  const { userId } = await makeUser(tenant, { roleIds: ["portal.users.mgmt"] });
  return callerOf((await makeSession(tenant, userId)).headers);
}

const byKey = (apiKey: string) =>
  callerOf({ "X-Service-Tenant": tenant, "X-Service-API-Key": apiKey });

const raise = (who: Caller, by: Caller) =>
  failureOf(setUserRoles(by, who.userId, raised, new Headers({ "If-Match": "*" })));

const makeServiceUser = () =>
  makeUser(tenant, { roleIds: ["portal.users.mgmt"], row: { kind: "service" } });

beforeAll(async () => {
  tenant = await makeTenant();
  manager = await signedIn();
  colleague = await signedIn();
});

describe("users cannot raise their own roles by the key of a service user", () => {
  test("that they created", async () => {
    const { userId } = await makeServiceUser();
    const made = await createServiceKey(manager, userId, { name: "bridge", validTo });
    const caller = await byKey(made.apiKey);
    expect(await raise(manager, caller)).toMatchObject({ code: "user.oneself" });
    expect(await raise({ ...manager, userId }, caller)).toMatchObject({ code: "user.oneself" });
  });

  test("that they received by a handover, or by a rotation, during whose overlap both know a secret", async () => {
    const { userId } = await makeServiceUser();
    const { apiKeyId } = await makeApiKey(tenant, colleague.userId);
    const taken = await handOverKey(manager, apiKeyId, userId);
    const first = await byKey("apiKey" in taken ? taken.apiKey : "");
    expect(await raise(manager, first)).toMatchObject({ code: "user.oneself" });
    const rotated = await rotateApiKey(colleague, apiKeyId, { overlap: 3600 }, "managed");
    for (const apiKey of ["apiKey" in taken ? taken.apiKey : "", rotated.apiKey])
      for (const who of [manager, colleague])
        expect(await raise(who, await byKey(apiKey))).toMatchObject({ code: "user.oneself" });
  });

  test("or by a key that such a key has created", async () => {
    const [one, two] = [await makeServiceUser(), await makeServiceUser()];
    const first = await createServiceKey(manager, one.userId, { name: "bridge", validTo });
    const caller = await byKey(first.apiKey);
    const second = await createServiceKey(caller, two.userId, { name: "bridge", validTo });
    expect(await raise(manager, await byKey(second.apiKey))).toMatchObject({
      code: "user.oneself",
    });
  });
});
