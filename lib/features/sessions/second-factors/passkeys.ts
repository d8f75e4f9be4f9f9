import type { z } from "zod";
import { withAccessChange } from "@/lib/access/access-versions";
import { rememberNetwork } from "@/lib/access/known-networks";
import { newId } from "@/lib/database/ids";
import { ApiError, invalid } from "@/lib/protocol/errors";
import type {
  createPasskey as declared,
  createPasskeyOptions as declaredOptions,
  NewPasskey,
} from "./passkey-contract";
import {
  type Binding,
  insertPasskey,
  isPasskey,
  newPasskeyChallenge,
  readPasskeyChallenge,
  takeChallenge,
  userHandleOf,
} from "./passkey-rows";
import { confirmedFactorsOf, type SecondFactorRow } from "./rows";
import {
  assertFirst,
  assertOwn,
  assertPerson,
  beginAsking,
  named,
  type Owner,
  recordChange,
  toSecondFactor,
} from "./service";
import { maxPasskeys } from "./values";
import { algorithms, checkNewPasskey, clientDataOf, passkeyHost } from "./webauthn";

type Options = z.input<NonNullable<typeof declaredOptions.answer>>;

const timeoutMs = 300_000;

const bindingOf = ({ tenantId, credentialId }: Owner): Binding => ({
  use: "add",
  tenantId,
  session: credentialId,
});

function assertRoom(factors: readonly SecondFactorRow[]): void {
  if (factors.filter(isPasskey).length < maxPasskeys) return;
  const detail = `You have ${maxPasskeys} passkeys. Remove one first.`;
  throw new ApiError("second-factor.limit-reached", detail, String(maxPasskeys));
}

/** The options with which a browser creates a passkey. Nothing is stored. Throws 403 and 409. */
export async function passkeyOptions(caller: Owner): Promise<Options> {
  assertOwn(caller);
  assertPerson(caller);
  const factors = await confirmedFactorsOf(caller);
  assertRoom(factors);
  const challenge = newPasskeyChallenge(bindingOf(caller));
  return {
    rp: { id: passkeyHost(), name: "Gatehouse" },
    user: {
      id: userHandleOf(challenge).toString("base64url"),
      name: `${caller.login} (${caller.tenantId})`,
      displayName: caller.name,
    },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
    timeout: timeoutMs,
    excludeCredentials: factors.filter(isPasskey).map(({ credentialId, transports }) => ({
      id: credentialId.toString("base64url"),
      type: "public-key" as const,
      transports: transports?.split(" ") ?? [],
    })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
  };
}

const notMade = (detail: string) => invalid([{ pointer: "/passkey", detail }]);

/** The passkey to store, and the challenge that it was created for. Throws 400. */
async function checkPasskey(caller: Owner, passkey: z.output<typeof NewPasskey>) {
  const given = clientDataOf(passkey.response);
  const challenge = given && readPasskeyChallenge(given.challenge, bindingOf(caller));
  if (!challenge || given.isFramed)
    throw notMade("This took too long, or belongs to another sign-in. Begin again.");
  const checked = await checkNewPasskey(passkey, challenge.text);
  if (!checked)
    throw notMade(
      "The passkey does not fit. It has to be made on this page, with PIN, fingerprint or face.",
    );
  return { checked, challenge };
}

/** Adds a passkey to the caller. From then on the password is not enough. Throws 400, 403 and 409. */
export async function createPasskey(
  caller: Owner,
  { name = "Passkey", passkey }: z.output<NonNullable<typeof declared.body>>,
): Promise<z.input<NonNullable<typeof declared.answer>>> {
  assertOwn(caller);
  assertPerson(caller);
  const { checked, challenge } = await checkPasskey(caller, passkey);
  const { tenantId, userId, address } = caller;
  const now = new Date();
  const row: SecondFactorRow = {
    ...{ tenantId, userId, factorId: newId("fac"), kind: "passkey", name, lastStep: 0 },
    ...{ createdAt: now, confirmedAt: now, lastUsedAt: null },
    ...{ secret: checked.publicKey, credentialId: checked.credentialId },
    ...{ signCount: checked.signCount, rpId: passkeyHost() },
    userHandle: userHandleOf(challenge.text),
    transports: passkey.response.transports?.join(" ") || null,
  };
  const shown = await withAccessChange(tenantId, async (tx) => {
    const before = await confirmedFactorsOf(caller, tx);
    assertRoom(before);
    assertFirst(caller, before.length === 0);
    if (!(await takeChallenge(tx, tenantId, challenge)) || !(await insertPasskey(tx, row)))
      throw notMade("This passkey was added before.");
    await recordChange(tx, caller, "user.second-factor-added", {
      secondFactor: { after: named(row) },
    });
    return before.length === 0 ? beginAsking(tx, caller) : {};
  });
  rememberNetwork({ tenantId, plane: "second-factor", loginKey: userId, address });
  return { ...toSecondFactor(row), ...shown };
}
