import type { z } from "zod";
import { unknownCredential } from "@/lib/access/authenticate";
import type { Caller } from "@/lib/access/caller";
import { matchPassword } from "@/lib/access/hashing";
import { tryPassword } from "@/lib/access/throttle";
import { transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { proveSecondFactor } from "@/lib/features/second-factors/prove";
import { findMemberCandidate, type LoginCandidate } from "@/lib/features/users/login-candidate";
import { invalid } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { noteFailedLogin } from "./failed-logins";
import { setAuthentication } from "./rows";
import type { StepUp, stepUpSession } from "./step-up-contract";

type Given = z.output<typeof StepUp>;

const wrong = (pointer: string, detail: string) => invalid([{ pointer, detail }]);

async function isPasswordRight(caller: Caller, person: LoginCandidate, password: string) {
  const { tenantId, login, address } = caller;
  const who = { tenantId, plane: "management" as const, loginKey: labelKey(login), address };
  return tryPassword(
    who,
    async () => (await matchPassword(who, person.passwordHash, password)) !== "none",
  );
}

/**
 * How the person proved who they are. Who has a second factor proves that: whoever stole session and password could otherwise
 * remove it. Throws 400 for what is wrong, 429 while earlier failures make it wait.
 */
async function prove(caller: Caller, person: LoginCandidate, given: Given): Promise<string> {
  const { password, ...proof } = given;
  const { tenantId, userId, login, requestId, address, agent } = caller;
  if (person.hasSecondFactor && password !== undefined)
    throw wrong("/code", "Enter a code from your authenticator app: the password is not enough.");
  if (!person.hasSecondFactor && password === undefined)
    throw wrong("/password", "Enter the password: you have no second factor.");
  const method =
    password === undefined
      ? await proveSecondFactor(person, proof, caller)
      : (await isPasswordRight(caller, person, password)) && "password";
  if (method) return method === "password" ? method : `password ${method}`;
  noteFailedLogin(tenantId, { userId, login }, { requestId, address, agent });
  if (password !== undefined) throw wrong("/password", "The password is not right.");
  const pointer = proof.code === undefined ? "/recoveryCode" : "/code";
  throw wrong(pointer, "The code is not right, or was used before.");
}

/**
 * Checks the person behind the session anew. The session then counts as authenticated now, and ends no later than before. Throws 401
 * for a session that ended meanwhile.
 */
export async function stepUp(
  caller: Caller,
  given: Given,
): Promise<z.input<NonNullable<typeof stepUpSession.answer>>> {
  const person = await findMemberCandidate(caller.tenantId, caller);
  if (!person) throw unknownCredential("session");
  const authenticatedBy = await prove(caller, person, given);
  const authenticatedAt = new Date();
  await transaction(async (tx) => {
    const { tenantId, userId, credentialId: sessionRef } = caller;
    const { credentialEpoch } = person;
    const proof = { authenticatedAt, authenticatedBy };
    if (!(await setAuthentication(tx, { tenantId, userId, sessionRef, credentialEpoch }, proof)))
      throw unknownCredential("session");
    await record(tx, actingAs(caller), {
      action: "session.stepped-up",
      target: { type: "session", id: sessionRef },
      changes: { authenticatedBy: { after: authenticatedBy } },
    });
  });
  return {
    authenticatedAt: authenticatedAt.toISOString(),
    authenticatedBy: authenticatedBy.split(" "),
  };
}
