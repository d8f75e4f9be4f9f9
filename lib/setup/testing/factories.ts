import { randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { forgetAccess } from "@/lib/access/access-versions";
import { newApiKey, newSessionId, sha256 } from "@/lib/access/secrets";
import { newId } from "@/lib/database/ids";
import { db } from "@/lib/database/open";
import {
  apiKeys,
  roleAssignments,
  sessions,
  sites,
  tenants,
  users,
} from "@/lib/database/schema/schema";
import { emptyHead } from "@/lib/features/audit/chain";
import { grantsOf } from "@/lib/features/users/role-assignments";

const soon = () => new Date(Date.now() + 3_600_000);

/** A separate tenant for a test, with the given sites. */
export async function makeTenant({
  siteIds = ["one", "two"],
}: {
  siteIds?: string[];
} = {}): Promise<string> {
  const tenantId = `t-${randomBytes(6).toString("hex")}`;
  const createdAt = new Date();
  await db().insert(tenants).values({
    tenantId,
    name: tenantId,
    kind: "sandbox",
    createdAt,
    policy: {},
    auditSeq: 0,
    auditHead: emptyHead,
    accessVersion: 0,
  });
  if (siteIds.length > 0)
    await db()
      .insert(sites)
      .values(siteIds.map((siteId) => ({ tenantId, siteId, name: siteId, createdAt })));
  return tenantId;
}

export interface NewUser {
  login?: string;
  name?: string;
  roleIds?: string[];
  /** Role ids by site. */
  sites?: Record<string, string[]>;
  password?: string;
  row?: Partial<typeof users.$inferInsert>;
}

/** The hash of an unknown password: a user without one could not sign in, and would not count as the last administrator. */
const unknownPassword =
  "$argon2id$v=19$m=1024,t=1,p=1$QdZhnGQpJ5nN0dvdGRuJUw$Z6ZcCbdCmz0ZQ6r2lYw1nCJ7yGuG1V4mYx1vZ0mVbH0";

/** Cheap to create and to check: not for tests of the hash's cost. */
const cheap = { algorithm: 2, memoryCost: 1024, timeCost: 1, parallelism: 1 } as const;

async function passwordHashOf(tenantId: string, { password, row }: NewUser) {
  if (password !== undefined) return hash(password, cheap);
  const { kind = "person", state = "active", homeTenantId = tenantId } = row ?? {};
  const hasPassword = kind === "person" && state !== "invited" && homeTenantId === tenantId;
  return hasPassword ? unknownPassword : null;
}

export async function makeUser(
  tenantId: string,
  given: NewUser = {},
): Promise<{ userId: string; login: string }> {
  const {
    login = `user-${randomBytes(4).toString("hex")}`,
    name = "Ada Example",
    roleIds = [],
    sites: atSites = {},
    row,
  } = given;
  const userId = row?.userId ?? newId("user");
  const emailAddress = `${login.replace(/[^A-Za-z0-9]/g, "")}@example.com`;
  const assigned = [
    ...roleIds.map((roleId) => ({ siteId: "", roleId })),
    ...Object.entries(atSites).flatMap(([siteId, ids]) =>
      ids.map((roleId) => ({ siteId, roleId })),
    ),
  ];
  await db()
    .insert(users)
    .values({
      tenantId,
      userId,
      homeTenantId: tenantId,
      kind: "person",
      state: "active",
      login,
      loginKey: login.toLowerCase(),
      name,
      emailAddress,
      searchText: `${login} ${name} ${emailAddress}`.toLowerCase(),
      registeredAt: new Date(),
      isLocked: false,
      isSystem: false,
      mustChangePassword: false,
      passwordHash: await passwordHashOf(tenantId, given),
      preferences: {},
      grants: grantsOf(assigned),
      ...row,
    });
  if (assigned.length > 0)
    await db()
      .insert(roleAssignments)
      .values(assigned.map((one) => ({ tenantId, userId, ...one })));
  forgetAccess(tenantId);
  return { userId, login };
}

/** A session of the user: its id, as a header. */
export async function makeSession(
  tenantId: string,
  userId: string,
  row: Partial<typeof sessions.$inferInsert> = {},
) {
  const sessionId = newSessionId();
  const now = new Date();
  const sessionRef = newId("sess");
  const common = {
    siteId: "",
    createdAt: now,
    lastSeenAt: now,
    idleSeconds: 1800,
    expiresAt: soon(),
    address: "127.0.0.1",
    agent: "",
  };
  await db()
    .insert(sessions)
    .values({ tenantId, sessionRef, secretHash: sha256(sessionId), userId, ...common, ...row });
  return {
    sessionId,
    sessionRef,
    headers: { "X-Service-Tenant": tenantId, "X-Service-Session-Id": sessionId },
  };
}

/** A user with a session: ids, and the session as headers. */
export async function makeSignedInUser(tenantId: string, given: NewUser = {}) {
  const { userId, login } = await makeUser(tenantId, given);
  return { userId, login, ...(await makeSession(tenantId, userId)) };
}

/** An API key of the user: its value, as a header. */
export async function makeApiKey(
  tenantId: string,
  userId: string,
  row: Partial<typeof apiKeys.$inferInsert> = {},
) {
  const apiKey = newApiKey();
  const apiKeyId = newId("key");
  const name = `key ${apiKeyId.slice(-6)}`;
  const common = {
    name,
    nameKey: name,
    hint: apiKey.slice(-4),
    createdAt: new Date(),
    validTo: soon(),
  };
  await db()
    .insert(apiKeys)
    .values({ tenantId, apiKeyId, userId, secretHash: sha256(apiKey), ...common, ...row });
  return {
    apiKey,
    apiKeyId,
    headers: { "X-Service-Tenant": tenantId, "X-Service-API-Key": apiKey },
  };
}
