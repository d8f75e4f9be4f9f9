import type { Origin } from "@/lib/access/caller";
import { transaction } from "@/lib/database/open";
import { record } from "@/lib/features/audit/service";
import { findUserRow, type UserKey } from "@/lib/features/users/rows";
import { log } from "@/lib/protocol/log";
import { readPasskeyChallenge } from "./passkey-challenges";
import type { PasskeyProof } from "./passkey-contract";
import { findPasskey, notePasskeyUse, type PasskeyRow, takeChallenge } from "./passkey-rows";
import type { Place, Proven } from "./prove";
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
