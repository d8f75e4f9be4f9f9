import type { z } from "zod";
import { unknownCredential } from "@/lib/access/authenticate";
import type { Caller } from "@/lib/access/caller";
import { matchPassword } from "@/lib/access/hashing";
import { tryPassword } from "@/lib/access/throttle";
import { transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { findMemberCandidate, type LoginCandidate } from "@/lib/features/users/login-candidate";
import { invalid } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { noteFailedLogin } from "./failed-logins";
import { setAuthentication } from "./rows";
import type { StepUp, stepUpSession } from "./step-up-contract";

/** Throws 400 for a wrong password, 429 while earlier failures make the login wait. */
async function checkPassword(caller: Caller, person: LoginCandidate, password: string) {
  const { tenantId, userId, login, requestId, address, agent } = caller;
  const who = { tenantId, plane: "management" as const, loginKey: labelKey(login), address };
  const isRight = await tryPassword(
    who,
    async () => (await matchPassword(who, person.passwordHash, password)) !== "none",
  );
  if (isRight) return;
  noteFailedLogin(tenantId, { userId, login }, { requestId, address, agent });
  throw invalid([{ pointer: "/password", detail: "The password is not right." }]);
}

/**
 * Checks the person behind the session anew. The session then counts as authenticated now, and ends no later than before. Throws 401
 * for a session that ended meanwhile.
 */
export async function stepUp(
  caller: Caller,
  { password }: z.output<typeof StepUp>,
): Promise<z.input<NonNullable<typeof stepUpSession.answer>>> {
  const person = await findMemberCandidate(caller.tenantId, caller);
  if (!person) throw unknownCredential("session");
  await checkPassword(caller, person, password);
  const authenticatedAt = new Date();
  await transaction(async (tx) => {
    const { tenantId, userId, credentialId: sessionRef } = caller;
    const { credentialEpoch } = person;
    const proof = { authenticatedAt, authenticatedBy: "password" };
    if (!(await setAuthentication(tx, { tenantId, userId, sessionRef, credentialEpoch }, proof)))
      throw unknownCredential("session");
    await record(tx, actingAs(caller), {
      action: "session.stepped-up",
      target: { type: "session", id: sessionRef },
      changes: { authenticatedBy: { after: proof.authenticatedBy } },
    });
  });
  return { authenticatedAt: authenticatedAt.toISOString(), authenticatedBy: ["password"] };
}
