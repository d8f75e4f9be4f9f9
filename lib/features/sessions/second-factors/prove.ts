import { lockTenant } from "@/lib/access/access-versions";
import type { Origin } from "@/lib/access/caller";
import { type Transaction, transaction } from "@/lib/database/open";
import { record } from "@/lib/features/audit/service";
import { findUserRow, type UserKey } from "@/lib/features/users/rows";
import { ApiError } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import { tryCode } from "./code-throttle";
import { hashRecoveryCode, matchStep } from "./codes";
import type { PasskeyProof } from "./passkey-contract";
import {
  findPasskey,
  notePasskeyUse,
  type PasskeyRow,
  readPasskeyChallenge,
  takeChallenge,
} from "./passkey-rows";
import {
  confirmedFactorsOf,
  findRecoveryCodes,
  openFactor,
  takeRecoveryCode,
  takeStep,
} from "./rows";
import { checkProof, clientDataOf, passkeyHost } from "./webauthn";

/** The user sees it as a notice: an attacker may have a copy of the passkey. */
async function recordFall(passkey: PasskeyRow, count: number, origin: Origin): Promise<void> {
  const { tenantId, userId: id, name, signCount } = passkey;
  await transaction(async (tx) => {
    const login = (await findUserRow(tx, { tenantId, userId: id }))?.login;
    const actor = { type: "user" as const, id, ...(login !== undefined && { login }) };
    const { requestId, address, agent } = origin;
    await record(
      tx,
      { tenantId, actor, requestId, address, agent },
      {
        action: "user.passkey-count-fell",
        target: { type: "user", id, ...(login !== undefined && { name: login }) },
        changes: { passkey: { after: name }, signatures: { before: signCount, after: count } },
      },
    );
  });
}

/** A counter that did not increase is reported but not rejected: synced passkeys remain at 0, and some authenticators lose it. */
async function noteUse(passkey: PasskeyRow, count: number, origin: Origin): Promise<void> {
  const hasFallen = count <= passkey.signCount && (count > 0 || passkey.signCount > 0);
  try {
    await notePasskeyUse(passkey, count);
    if (hasFallen) await recordFall(passkey, count, origin);
  } catch (error) {
    log().warn({ err: error }, "a use of a passkey was not noted");
  }
}

export interface ProvenByPasskey extends Proven {
  person: UserKey;
}

/**
 * Checks a passkey's signature: for this tenant's sign-in, at the service's origin, by an authenticator that verified the user.
 * Undefined if anything is wrong. @param of the required owner; by default any user of this home tenant who has the passkey
 */
export async function provePasskey(
  proof: PasskeyProof,
  place: Place,
  of?: UserKey,
): Promise<ProvenByPasskey | undefined> {
  const { tenantId } = place;
  const given = clientDataOf(proof.response);
  const challenge = given && readPasskeyChallenge(given.challenge, { use: "prove", tenantId });
  if (!challenge || given.isFramed) return undefined;
  const credentialId = Buffer.from(proof.id, "base64url");
  const passkey = await findPasskey(of?.tenantId ?? tenantId, credentialId);
  const isTheirs = passkey && (!of || passkey.userId === of.userId);
  if (!isTheirs || passkey.rpId !== passkeyHost()) return undefined;
  const { userHandle } = proof.response;
  if (userHandle && userHandle !== passkey.userHandle?.toString("base64url")) return undefined;
  const count = await checkProof(passkey, proof, challenge.text);
  if (count === undefined) return undefined;
  return {
    person: { tenantId: passkey.tenantId, userId: passkey.userId },
    method: "passkey",
    spend: (tx) => takeChallenge(tx, tenantId, challenge),
    noteUse: () => noteUse(passkey, count, place),
  };
}

/** A user, identified by the row of the home tenant. */
interface Person {
  homeTenantId: string;
  userId: string;
  login: string;
}

/** The proof of a second factor: exactly one of these. */
export interface Proof {
  code?: string | undefined;
  recoveryCode?: string | undefined;
  passkey?: PasskeyProof | undefined;
}

/** The tenant and the origin of the request. */
export interface Place extends Origin {
  tenantId: string;
}

export interface Proven {
  method: "totp" | "recovery-code" | "passkey";
  /** Consumes the proof in the transaction that it authorizes, which has locked the tenant. False if it was already used. */
  spend: (tx: Transaction) => Promise<boolean>;
  /** Records the use afterwards. */
  noteUse?: () => Promise<void>;
}

const keyOf = ({ homeTenantId, userId }: Person): UserKey => ({ tenantId: homeTenantId, userId });

/** A factor that was encrypted with a lost SECRET_KEY cannot be checked any more. */
function unreadable(user: UserKey, what: string): ApiError {
  log().error(
    user,
    `${what} of a user cannot be read: SECRET_KEY is not the one they were sealed under`,
  );
  const detail = `Your ${what} cannot be read any more: the key of the service was replaced. Use a passkey, or ask an administrator to reset your second factors.`;
  return new ApiError("second-factor.unreadable", detail);
}

async function redeemCode(user: UserKey, code: string): Promise<Proven | undefined> {
  const now = Date.now();
  const apps = (await confirmedFactorsOf(user)).filter(({ kind }) => kind === "totp");
  const opened = apps.flatMap((factor) => {
    const secret = openFactor(factor);
    return secret ? [{ factor, secret }] : [];
  });
  if (apps.length > 0 && opened.length === 0) throw unreadable(user, "authenticator app");
  for (const { factor, secret } of opened) {
    const step = matchStep(secret, code, now);
    if (step !== undefined && (await takeStep(factor, step, new Date(now))))
      return { method: "totp", spend: async () => true };
  }
  return undefined;
}

/** Deletes the code and records its use. False if another request has used it. */
async function spendRecoveryCode(
  tx: Transaction,
  { userId: id, login, homeTenantId: tenantId }: Person,
  hash: string,
  { requestId, address, agent }: Origin,
): Promise<boolean> {
  const left = await takeRecoveryCode(tx, { tenantId, userId: id }, hash);
  if (left === undefined) return false;
  const acting = { tenantId, actor: { type: "user" as const, id, login } };
  await record(
    tx,
    { ...acting, requestId, address, agent },
    {
      action: "user.recovery-code-used",
      target: { type: "user", id, name: login },
      changes: { recoveryCodes: { before: left + 1, after: left } },
    },
  );
  return true;
}

async function redeemRecoveryCode(
  person: Person,
  code: string,
  place: Place,
): Promise<Proven | undefined> {
  const user = keyOf(person);
  const row = await findRecoveryCodes(user);
  const hash = row && hashRecoveryCode(row, code);
  if (row && hash === undefined) throw unreadable(user, "recovery codes");
  if (hash === undefined || !row?.codeHashes.includes(hash)) return undefined;
  const method = "recovery-code";
  const spend = (tx: Transaction) => spendRecoveryCode(tx, person, hash, place);
  if (place.tenantId === user.tenantId) return { method, spend };
  // The codes may belong to another tenant than the session, and a transaction covers only one.
  const isSpent = await transaction(async (tx) => {
    await lockTenant(tx, user.tenantId);
    return spend(tx);
  });
  return isSpent ? { method, spend: async () => true } : undefined;
}

/**
 * Checks the proof of a second factor; undefined if it is wrong or already used. Wrong codes are counted per user across tenants and
 * processes, and throttled; a passkey cannot be guessed and is not. Throws 429, and 409 for a factor that can no longer be decrypted.
 * @param count called once the attempt is admitted; throws if it is not allowed
 */
export async function proveSecondFactor(
  person: Person,
  { code, recoveryCode, passkey }: Proof,
  place: Place,
  count: () => Promise<void> = async () => undefined,
): Promise<Proven | undefined> {
  if (passkey) {
    await count();
    return provePasskey(passkey, place, keyOf(person));
  }
  return tryCode(keyOf(person), place, async () => {
    await count();
    return code === undefined
      ? redeemRecoveryCode(person, recoveryCode ?? "", place)
      : redeemCode(keyOf(person), code);
  });
}
