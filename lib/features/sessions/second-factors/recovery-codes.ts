import { createHmac, randomBytes } from "node:crypto";
import type { Transaction } from "@/lib/database/open";
import type { UserKey } from "@/lib/features/users/rows";
import { openHashKey, type RecoveryCodesRow, sealHashKey, setRecoveryCodes } from "./rows";
import { recoveryCodeCount } from "./values";

/** 32 characters, 5 bits each: without those that are read as another. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz0";
const charactersEach = 10;

/** 50 random bits. @example "7k3md-92wqx" */
function newCode(): string {
  const text = [...randomBytes(charactersEach)].map((byte) => alphabet[byte % 32]).join("");
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

const hashOf = (key: Buffer, code: string) =>
  createHmac("sha256", key).update(code.toLowerCase().replace(/[\s-]/g, "")).digest("hex");

/** Ten new codes in place of those that were there: readable only here. */
export async function replaceRecoveryCodes(tx: Transaction, user: UserKey): Promise<string[]> {
  const key = randomBytes(32);
  const codes = Array.from({ length: recoveryCodeCount }, newCode);
  await setRecoveryCodes(tx, {
    tenantId: user.tenantId,
    userId: user.userId,
    hashKey: sealHashKey(key, user),
    codeHashes: codes.map((code) => hashOf(key, code)),
    createdAt: new Date(),
  });
  return codes;
}

/** What is stored of a code that somebody typed; undefined where the key of the hashes is lost. */
export function hashRecoveryCode(row: RecoveryCodesRow, code: string): string | undefined {
  const key = openHashKey(row);
  return key && hashOf(key, code);
}
