import type { z } from "zod";
import { lockTenant } from "@/lib/access/access-versions";
import { unknownCredential } from "@/lib/access/authenticate";
import type { Caller } from "@/lib/access/caller";
import { matchPassword } from "@/lib/access/hashing";
import { tryPassword } from "@/lib/access/throttle";
import { type Transaction, transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { type Proven, proveSecondFactor } from "@/lib/features/sessions/second-factors/prove";
import { findMemberCandidate, type LoginCandidate } from "@/lib/features/users/login-candidate";
import { invalid } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { assertMethodAccepted } from "./accepted-methods";
import { noteFailedLogin } from "./failed-logins";
import { setAuthentication } from "./rows";
import type { StepUp, stepUpSession } from "./steps-contract";

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

/** The method of authentication, and the function that consumes the proof. */
interface Authentication {
  by: string;
  spend?: Proven["spend"];
  noteUse?: Proven["noteUse"];
}

const said = {
  password: "The password is not right.",
  code: "The code is not right, or was used before.",
  recoveryCode: "The code is not right, or was used before.",
  passkey: "The passkey is not yours, or was not used in time.",
} as const;

/** Records a failed sign-in and returns the error for the wrong member of the body. */
function failed(caller: Caller, given: Given) {
  const { tenantId, userId, login, requestId, address, agent } = caller;
  const [member = "code"] = (["password", "recoveryCode", "passkey"] as const).filter(
    (one) => given[one] !== undefined,
  );
  const by = member !== "password" && ({ by: "second-factor" } as const);
  noteFailedLogin(tenantId, { userId, login, ...by }, { requestId, address, agent });
  return wrong(`/${member}`, said[member]);
}

/**
 * Verifies the user's proof of identity. A user with a second factor must use it: otherwise a stolen session and password could remove
 * it. Throws 400 for a wrong proof, 409 for a factor that can no longer be decrypted, 429 while earlier failures require a wait.
 */
async function prove(
  caller: Caller,
  person: LoginCandidate,
  given: Given,
): Promise<Authentication> {
  const { password, ...proof } = given;
  if (person.hasSecondFactor && password !== undefined)
    throw wrong("/code", "Enter a code from your authenticator app: the password is not enough.");
  if (!person.hasSecondFactor && password === undefined)
    throw wrong("/password", "Enter the password: you have no second factor.");
  if (password !== undefined) {
    await assertMethodAccepted(caller.tenantId, person, "password");
    if (!(await isPasswordRight(caller, person, password))) throw failed(caller, given);
    return { by: "password" };
  }
  const proven = await proveSecondFactor(person, proof, caller);
  if (!proven) throw failed(caller, given);
  const { method, ...use } = proven;
  const [first = "password"] = caller.authenticatedBy?.split(" ") ?? [];
  return { by: method === "passkey" ? method : `${first} ${method}`, ...use };
}

/** Records the proof: the session counts as authenticated now. Throws 401 if the session has ended. */
export async function noteStepUp(
  caller: Caller,
  { credentialEpoch }: Pick<LoginCandidate, "credentialEpoch">,
  authenticatedBy: string,
  useUp?: (tx: Transaction) => Promise<void>,
): Promise<Date> {
  const authenticatedAt = new Date();
  await transaction(async (tx) => {
    const { tenantId, userId, credentialId: sessionRef } = caller;
    // Locked before the session's rows, like everywhere that opens or ends a session.
    await lockTenant(tx, tenantId);
    await useUp?.(tx);
    const proof = { authenticatedAt, authenticatedBy };
    if (!(await setAuthentication(tx, { tenantId, userId, sessionRef, credentialEpoch }, proof)))
      throw unknownCredential("session");
    await record(tx, actingAs(caller), {
      action: "session.stepped-up",
      target: { type: "session", id: sessionRef },
      changes: { authenticatedBy: { after: authenticatedBy } },
    });
  });
  return authenticatedAt;
}

/**
 * Authenticates the session's user again. The session then counts as authenticated now, but expires no later than before. Throws 401
 * if the session has ended.
 */
export async function stepUp(
  caller: Caller,
  given: Given,
): Promise<z.input<NonNullable<typeof stepUpSession.answer>>> {
  const person = await findMemberCandidate(caller.tenantId, caller);
  if (!person) throw unknownCredential("session");
  const { by: authenticatedBy, spend, noteUse } = await prove(caller, person, given);
  const authenticatedAt = await noteStepUp(caller, person, authenticatedBy, async (tx) => {
    if (spend && !(await spend(tx))) throw failed(caller, given);
  });
  await noteUse?.();
  return {
    authenticatedAt: authenticatedAt.toISOString(),
    authenticatedBy: authenticatedBy.split(" "),
  };
}
