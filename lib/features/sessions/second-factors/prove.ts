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

/** The person sees it as a notice: somebody else may have a copy of the passkey. */
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

/** A count that did not rise is reported and rejects nothing: synced passkeys stay at 0, and some authenticators lose it. */
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
 * Checks what a passkey signed: for this tenant's sign-in, at our own origin, by an authenticator that verified the person. Undefined
 * where anything of it is wrong.
 * @param of whose it has to be; without it any user at home in the tenant who has this passkey
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

/** A person, by the row of the home tenant. */
interface Person {
  homeTenantId: string;
  userId: string;
  login: string;
}

/** What somebody gives for a second factor: one of them. */
export interface Proof {
  code?: string | undefined;
  recoveryCode?: string | undefined;
  passkey?: PasskeyProof | undefined;
}

/** Where and from where it is given. */
export interface Place extends Origin {
  tenantId: string;
}

export interface Proven {
  method: "totp" | "recovery-code" | "passkey";
  /** Uses it up in the transaction of what it was given for, which has locked the tenant. False where that happened before. */
  spend: (tx: Transaction) => Promise<boolean>;
  /** What is noted once it was used. */
  noteUse?: () => Promise<void>;
}

const keyOf = ({ homeTenantId, userId }: Person): UserKey => ({ tenantId: homeTenantId, userId });

/** What was sealed under a SECRET_KEY that is lost proves nothing any more, whatever is typed. */
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

/** Takes the code away and says so in the trail. False where it was used meanwhile. */
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
  // The codes are of another tenant than the session: a transaction is of one.
  const isSpent = await transaction(async (tx) => {
    await lockTenant(tx, user.tenantId);
    return spend(tx);
  });
  return isSpent ? { method, spend: async () => true } : undefined;
}

/**
 * Checks what is given for a second factor; undefined where it is wrong or was used before. Wrong codes count for the person in every
 * tenant and process, and wait; a passkey cannot be guessed and never waits. Throws 429, and 409 for what cannot be read any more.
 * @param count called once the try is admitted; throws where it may not be made
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
