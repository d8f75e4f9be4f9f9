import { signAccessToken, signAnonymousToken } from "@/lib/access/consumer-tokens";
import { issueManagementBearer } from "@/lib/access/management-bearer";
import { sealSessions } from "@/lib/access/portal-cookie";
import { roleIds } from "@/lib/access/roles";
import { newApiKey, newSessionId } from "@/lib/access/secrets";
import { withTokenRevocation } from "@/lib/access/token-revocations";
import { newId } from "@/lib/database/ids";
import type { users } from "@/lib/database/schema/schema";
import type { Credential, Endpoint } from "@/lib/protocol/endpoint";
import type { Permission } from "@/lib/protocol/permissions";
import { makeApiKey, makeSession, makeUser } from "@/lib/setup/testing/factories";
import type { IsolationWorld } from "./isolation-world";

export type Headers = Record<string, string>;

/** Shares have separate tests: no operation accepts only a share. */
export type ProvokedCredential = Exclude<Credential, "share">;

/** A user and a customer with a credential of each kind. */
export interface Somebody extends Record<ProvokedCredential, Headers> {
  /** The id of the user or the customer, by the kind of credential. */
  idOf: Record<ProvokedCredential, string>;
  apiKeyId: string;
}

const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });
const hour = 3600;

interface Shopping {
  site?: string;
  customerId?: string;
  ttlSeconds?: number;
}

async function shopperOf(tenantId: string, given: Shopping = {}) {
  const { site: siteId = "one", customerId = newId("cust"), ttlSeconds = hour } = given;
  const anonymousId = newId("anon");
  const shopping = { tenantId, siteId, anonymousId };
  const signedIn = { ...shopping, customerId, familyRef: newId("fam") };
  return {
    anonymous: bearer(await signAnonymousToken(shopping, ttlSeconds)),
    customer: bearer(await signAccessToken(signedIn, ttlSeconds)),
    ids: { anonymous: anonymousId, customer: customerId },
  };
}

interface NewSomebody extends Shopping {
  row?: Partial<typeof users.$inferInsert>;
  roles?: readonly string[];
  expiresAt?: Date;
  authenticatedAt?: Date;
}

/** A user with all roles unless others are given, and a customer. */
async function somebody(tenantId: string, given: NewSomebody = {}): Promise<Somebody> {
  const { row = {}, roles = roleIds, expiresAt, authenticatedAt } = given;
  const { userId } = await makeUser(tenantId, { roleIds: [...roles], row });
  const { headers: session, sessionRef } = await makeSession(tenantId, userId, {
    ...(expiresAt && { expiresAt }),
    ...(authenticatedAt && { authenticatedAt }),
  });
  const apiKey = await makeApiKey(tenantId, userId, expiresAt && { validTo: expiresAt });
  const token = await issueManagementBearer({ tenantId, userId, credentialId: sessionRef });
  const { ids, ...shopper } = await shopperOf(tenantId, given);
  return {
    session,
    apiKey: apiKey.headers,
    apiKeyId: apiKey.apiKeyId,
    bearer: bearer(token.accessToken),
    ...shopper,
    idOf: { session: userId, apiKey: userId, bearer: userId, ...ids },
  };
}

const nobody: Record<ProvokedCredential, Headers> = {
  session: { "X-Service-Session-Id": newSessionId() },
  apiKey: { "X-Service-API-Key": newApiKey() },
  bearer: bearer("e30.e30.e30"),
  anonymous: bearer("e30.e30.e30"),
  customer: bearer("e30.e30.e30"),
};

type KeyRow = Parameters<typeof makeApiKey>[2];
/** The window of a used-up key, which ends in 2033: a daily one would end within a run at midnight. */
const windowSeconds = 1_000_000_000;
const usedUp = { rateLimit: 1, rateTaken: 1, rateWindowSeconds: windowSeconds, rateWindow: 1 };

/** API keys of a user with all roles that are rejected, each for a separate reason. */
async function keysOf(tenantId: string) {
  const { userId } = await makeUser(tenantId, { roleIds: [...roleIds], row: { isSystem: true } });
  const program = await makeUser(tenantId, {
    roleIds: [...roleIds],
    row: { kind: "service", isSystem: true },
  });
  const key = async (row: KeyRow) => (await makeApiKey(tenantId, userId, row)).headers;
  return {
    suspended: await key({ suspendedAt: new Date() }),
    elsewhere: await key({ allowedAddresses: ["192.0.2.0/24"] }),
    usedUp: await key(usedUp),
    unrestricted: (await makeApiKey(tenantId, program.userId)).headers,
    only: (permission: Permission) => key({ permissions: [permission] }),
  };
}

/** The caller of a rejected request, and its identity. */
export async function provokingCallers({ tenant, customerId, adminId }: IsolationWorld) {
  const gone = new Date(Date.now() - 1000);
  const lockedId = newId("cust");
  await withTokenRevocation(tenant, (_tx, end) =>
    end([{ subject: lockedId, effect: "locked", lockedUntil: null }]),
  );
  const { sessionId } = await makeSession(tenant, adminId);
  return {
    fine: await somebody(tenant, { row: { isSystem: true }, customerId }),
    expired: await somebody(tenant, { expiresAt: gone, ttlSeconds: -1 }),
    provenLongAgo: await somebody(tenant, {
      row: { isSystem: true },
      authenticatedAt: new Date(Date.now() - 1000 * hour),
    }),
    locked: await somebody(tenant, { row: { isLocked: true }, customerId: lockedId }),
    deactivated: await somebody(tenant, { row: { state: "deactivated" } }),
    withOneTimePassword: await somebody(tenant, { row: { mustChangePassword: true } }),
    withoutRole: await somebody(tenant, { roles: [] }),
    systemWithoutRole: await somebody(tenant, { roles: [], row: { isSystem: true } }),
    atOtherSite: await somebody(tenant, { site: "two" }),
    atUnknownSite: await somebody(tenant, { site: "nowhere" }),
    nobody,
    keys: await keysOf(tenant),
    cookie: {
      Cookie: `next-auth.session-token=${await sealSessions(new Map([[tenant, sessionId]]), hour)}`,
    },
  };
}

export type ProvokingCallers = Awaited<ReturnType<typeof provokingCallers>>;

const byEase: ProvokedCredential[] = ["session", "apiKey", "bearer", "customer", "anonymous"];

/** The kind of credential used to call an operation. */
export const kindFor = ({
  credentials,
}: Pick<Endpoint, "credentials">): ProvokedCredential | undefined =>
  byEase.find((kind) => credentials.includes(kind));
