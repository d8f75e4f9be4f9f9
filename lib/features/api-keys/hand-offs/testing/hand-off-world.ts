import { and, eq } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { apiKeys, keyHandOffs } from "@/lib/database/schema/schema";
import type { Send } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

/** A secret as a browser would seal it; the service never reads it. */
export const sealed = "c2Vh".repeat(27);

/** The hash of a key's current secret; an arbitrary hash for an unknown key. */
async function secretHashOf(tenantId: string, apiKeyId: string): Promise<string> {
  const [row] = await db()
    .select({ secretHash: apiKeys.secretHash })
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenantId), eq(apiKeys.apiKeyId, apiKeyId)));
  return row?.secretHash.toString("hex") ?? "0a".repeat(32);
}

/** A separate tenant with the owner of a key, and helpers for its hand-offs. */
export async function makeHandOffWorld(send: Send) {
  const tenant = await makeTenant();
  const owner = await makeSignedInUser(tenant, { roleIds: ["portal.default"] });
  const key = await makeApiKey(tenant, owner.userId);
  const { apiKeyId } = key;
  const own = "/v1/user/profile/api-keys";
  const post = async (path: string, id: string, headers: Headers, body: object) => {
    const given = { sealed, secretHash: await secretHashOf(tenant, id), ...body };
    return send(`POST ${path}/${id}/hand-offs`, { headers, body: given });
  };
  const create = (body: object = {}, headers: Headers = owner.headers, id = apiKeyId) =>
    post(own, id, headers, body);
  const createManaged = (id: string, headers: Headers) =>
    post("/v1/user/api-keys", id, headers, {});
  const open = (token: string, inTenant = tenant) =>
    send("POST /v1/user/api-keys/hand-offs/open", {
      headers: { "X-Service-Tenant": inTenant },
      body: { token },
    });
  return {
    ...{ tenant, owner, key, apiKeyId, create, createManaged, open },
    /** The token of a new hand-off of the owner's key. */
    async token(body: object = {}): Promise<string> {
      return (await create(body)).body.token;
    },
    /** Changes the owner's key as its owner. */
    change: (verb: string) => send(`POST ${own}/${apiKeyId}/${verb}`, { headers: owner.headers }),
    revoke: () => send(`DELETE ${own}/${apiKeyId}`, { headers: owner.headers }),
    countRows: () => db().$count(keyHandOffs, eq(keyHandOffs.tenantId, tenant)),
  };
}

export type HandOffWorld = Awaited<ReturnType<typeof makeHandOffWorld>>;

/** The response to every link that does not open. */
export const opensNothing = {
  status: 404,
  code: "api-key.hand-off-not-found",
  detail: "This link was already opened, has expired or was withdrawn.",
  reason: undefined,
};

/** The response to an opening, without the fields that differ in each request. */
export async function shownOf(opening: ReturnType<HandOffWorld["open"]>) {
  const { status, body } = await opening;
  const { code, detail, reason } = body;
  return { status, code, detail, reason };
}
