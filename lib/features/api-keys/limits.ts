import type { z } from "zod";
import type { AuditChanges } from "@/lib/protocol/documents/audit-entry";
import type { KeyLimitsChange } from "./contract";
import { type Row, rateLimitOf } from "./rows";

type Limits = Pick<Row, "rateLimit" | "rateWindowSeconds" | "allowedAddresses">;
type Given = z.output<typeof KeyLimitsChange>;

export const noLimits: Limits = {
  rateLimit: null,
  rateWindowSeconds: null,
  allowedAddresses: null,
};

/** The columns of what was given; null removes a limit. */
export function toLimits({ rateLimit, allowedAddresses }: Given): Partial<Limits> {
  return {
    ...(rateLimit !== undefined && {
      rateLimit: rateLimit?.limit ?? null,
      rateWindowSeconds: rateLimit?.window ?? null,
    }),
    ...(allowedAddresses !== undefined && {
      allowedAddresses: allowedAddresses && [...new Set(allowedAddresses)],
    }),
  };
}

/** The same as a change of a key: a window of another length is counted anew. */
export function limitsToSet(row: Limits, given: Given) {
  const limits = toLimits(given);
  const isOther =
    limits.rateWindowSeconds !== undefined && limits.rateWindowSeconds !== row.rateWindowSeconds;
  return { ...limits, ...(isOther && { rateWindow: null, rateTaken: null }) };
}

/** What the audit trail says of a change of limits: nothing where none changed. */
export function limitChanges(before: Limits, after: Limits): AuditChanges {
  const change = (from: unknown, to: unknown) =>
    JSON.stringify(from ?? null) === JSON.stringify(to ?? null)
      ? undefined
      : { ...(from ? { before: from } : {}), ...(to ? { after: to } : {}) };
  const rateLimit = change(rateLimitOf(before), rateLimitOf(after));
  const allowedAddresses = change(before.allowedAddresses, after.allowedAddresses);
  return {
    ...(rateLimit && { rateLimit }),
    ...(allowedAddresses && { allowedAddresses }),
  };
}
