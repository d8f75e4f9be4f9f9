import { expect } from "vitest";
import type { Send } from "@/lib/http/testing/test-server";
import { makeApiKey, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

/** The headers of a service user's key that may verify credentials and nothing else. */
export async function makeVerifier(tenantId: string): Promise<Headers> {
  const row = { kind: "service" as const };
  const { userId } = await makeUser(tenantId, { roleIds: ["portal.configurations.mgmt"], row });
  return (await makeApiKey(tenantId, userId, { permissions: ["credential.verify"] })).headers;
}

/** Sends verification requests, as the verifier unless other headers are given. */
export function verifying(send: Send, verifier: () => Headers) {
  const verify = (credentials: unknown[], headers = verifier()) =>
    send("POST /v1/access/verify", { headers, body: { credentials } });
  const verdict = async (credential: object, headers = verifier()) => {
    const { status, body, text } = await verify([credential], headers);
    expect(status, text).toBe(200);
    return body[0];
  };
  return { verify, verdict };
}
