import { and, eq } from "drizzle-orm";
import { expect } from "vitest";
import { db } from "@/lib/database/open";
import { users } from "@/lib/database/schema/schema";
import { newAuthenticator } from "@/lib/features/sessions/second-factors/testing/authenticator";
import type { testServer } from "@/lib/http/testing/test-server";
import { makeSession } from "./factories";

/** A session as a new sign-in would open it: the first passkey ended the earlier ones. */
export async function openAt(at: string, of: string, home = at, more: object = {}) {
  const person = and(eq(users.tenantId, home), eq(users.userId, of));
  const [row] = await db().select().from(users).where(person);
  return makeSession(at, of, { credentialEpoch: row?.credentialEpoch ?? 0, ...more });
}

/** A passkey of the user, added over HTTP; its authenticator, and the session in which it was added. */
export async function addPasskey(
  send: ReturnType<typeof testServer>,
  at: string,
  of: string,
  made = newAuthenticator(),
) {
  const { headers } = await openAt(at, of);
  const { body } = await send("POST /v1/user/passkeys/options", { headers });
  const passkey = made.create(body);
  const added = await send("POST /v1/user/passkeys", { headers, body: { passkey } });
  expect(added.status, added.text).toBe(201);
  return { made, headers, id: added.body.id as string };
}
