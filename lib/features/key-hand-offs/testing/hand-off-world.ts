import type { Send } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

/** What a browser would have sealed; the service reads nothing of it. */
export const sealed = "c2VhbGVk".repeat(14);

/** A tenant of its own with the owner of a key, and what is done with its hand-offs. */
export async function makeHandOffWorld(send: Send) {
  const tenant = await makeTenant();
  const owner = await makeSignedInUser(tenant, { roleIds: ["portal.default"] });
  const key = await makeApiKey(tenant, owner.userId);
  const { apiKeyId } = key;
  const create = (body: object = {}, headers: Headers = owner.headers, id = apiKeyId) =>
    send(`POST /v1/user/profile/api-keys/${id}/hand-offs`, { headers, body: { sealed, ...body } });
  const createManaged = (id: string, headers: Headers) =>
    send(`POST /v1/user/api-keys/${id}/hand-offs`, { headers, body: { sealed } });
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
    change: (verb: string) =>
      send(`POST /v1/user/profile/api-keys/${apiKeyId}/${verb}`, { headers: owner.headers }),
    revoke: () => send(`DELETE /v1/user/profile/api-keys/${apiKeyId}`, { headers: owner.headers }),
  };
}

export type HandOffWorld = Awaited<ReturnType<typeof makeHandOffWorld>>;
