import type { Origin } from "@/lib/access/caller";
import { tryPassword } from "@/lib/access/throttle";
import { transaction } from "@/lib/database/open";
import { record } from "@/lib/features/audit/service";
import { hashRecoveryCode } from "./recovery-codes";
import {
  confirmedFactorsOf,
  findRecoveryCodes,
  openFactor,
  takeRecoveryCode,
  takeStep,
} from "./rows";
import { matchStep } from "./totp";

/** A person, by the row of the home tenant. */
export interface Person {
  homeTenantId: string;
  userId: string;
  login: string;
}

/** What somebody gives for a second factor: one of the two. */
export interface Proof {
  code?: string | undefined;
  recoveryCode?: string | undefined;
}

export type ProofMethod = "totp" | "recovery-code";

const keyOf = ({ homeTenantId, userId }: Person) => ({ tenantId: homeTenantId, userId });

async function redeemCode(person: Person, code: string): Promise<boolean> {
  const now = Date.now();
  for (const factor of await confirmedFactorsOf(keyOf(person))) {
    const secret = openFactor(factor);
    const step = secret && matchStep(secret, code, now);
    if (step !== undefined && (await takeStep(factor, step, new Date(now)))) return true;
  }
  return false;
}

async function redeemRecoveryCode(person: Person, code: string, origin: Origin): Promise<boolean> {
  const user = keyOf(person);
  const row = await findRecoveryCodes(user);
  const hash = row && hashRecoveryCode(row, code);
  if (!hash) return false;
  return transaction(async (tx) => {
    const left = await takeRecoveryCode(tx, user, hash);
    if (left === undefined) return false;
    const { userId: id, login } = person;
    const acting = { tenantId: user.tenantId, actor: { type: "user" as const, id, login } };
    await record(
      tx,
      { ...acting, ...origin },
      {
        action: "user.recovery-code-used",
        target: { type: "user", id, name: login },
        changes: { recoveryCodes: { before: left + 1, after: left } },
      },
    );
    return true;
  });
}

/**
 * Checks and uses up a code, over all processes; undefined where it is wrong or was used before. Wrong ones count for the person in
 * every tenant: from the 6th on they wait, for up to a quarter of an hour whatever address they come from, except where the person
 * proved a second factor before. Throws 429.
 * @param count called once the try is admitted; throws where it may not be made
 */
export async function proveSecondFactor(
  person: Person,
  { code, recoveryCode }: Proof,
  { requestId, address, agent }: Origin,
  count: () => Promise<void> = async () => undefined,
): Promise<ProofMethod | undefined> {
  const { homeTenantId: tenantId, userId: loginKey } = person;
  const who = { tenantId, plane: "second-factor", loginKey, address } as const;
  const isRight = await tryPassword(who, async () => {
    await count();
    return code === undefined
      ? redeemRecoveryCode(person, recoveryCode ?? "", { requestId, address, agent })
      : redeemCode(person, code);
  });
  if (!isRight) return undefined;
  return code === undefined ? "recovery-code" : "totp";
}
