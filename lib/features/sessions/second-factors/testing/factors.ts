import { TOTP } from "otpauth";
import { newId } from "@/lib/database/ids";
import { transaction } from "@/lib/database/open";
import {
  describeSecret,
  newSharedSecret,
  replaceRecoveryCodes,
} from "@/lib/features/sessions/second-factors/codes";
import {
  confirmFactor,
  findFactor,
  insertFactor,
  sealFactor,
} from "@/lib/features/sessions/second-factors/rows";

/** The code that an app shows a number of steps from now. */
export const codeOf = (secret: string, stepsAhead = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + stepsAhead * 30_000 });

/** Adds a confirmed authenticator app to a user, with no code used. */
export async function makeFactor(tenantId: string, userId: string) {
  const factorId = newId("fac");
  const shared = newSharedSecret();
  const createdAt = new Date();
  const recoveryCodes = await transaction(async (tx) => {
    const secret = sealFactor(shared, factorId);
    const row = { tenantId, userId, factorId, kind: "totp" as const, name: "phone", secret };
    await insertFactor(tx, { ...row, createdAt });
    return replaceRecoveryCodes(tx, { tenantId, userId });
  });
  const row = await findFactor({ tenantId, userId }, factorId);
  if (!row) throw new Error("A second factor was gone as soon as created.");
  await transaction((tx) => confirmFactor(tx, row, { confirmedAt: createdAt, lastStep: 0 }));
  const { secret } = describeSecret(shared, { tenantId, login: "any" });
  return { factorId, secret, recoveryCodes, code: (stepsAhead = 0) => codeOf(secret, stepsAhead) };
}
