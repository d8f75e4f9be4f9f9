import type { z } from "zod";
import type { AuditEvent } from "@/lib/features/audit/contract";
import { readEntriesAbout, readSearchesThatFound } from "@/lib/features/audit/entries-about";
import type { CustomerAccess } from "./contract";

const maxAccesses = 1000;

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
const textsOf = (value: unknown) =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

function accessOf({
  occurredAt,
  action,
  actor,
  changes,
}: AuditEvent): z.infer<typeof CustomerAccess> {
  const isReveal = action === "customer.revealed";
  // Why somebody was locked is between members of staff, as it is at sign-in.
  const reason = isReveal ? textOf(changes.reason?.after) : undefined;
  return {
    occurredAt,
    action,
    by: { type: actor.type, id: actor.id },
    fields: isReveal ? textsOf(changes.fields?.after) : [],
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Who revealed, searched or changed a customer, newest first: the latest 1,000 of each. Members of staff appear by their ids. */
export async function listAccesses({
  tenantId,
  customerId,
}: {
  tenantId: string;
  customerId: string;
}): Promise<z.infer<typeof CustomerAccess>[]> {
  const [about, searches] = await Promise.all([
    readEntriesAbout({ tenantId, targetIds: [customerId], limit: maxAccesses }),
    readSearchesThatFound(tenantId, customerId, maxAccesses),
  ]);
  const byStaff = about.entries.filter(({ actor }) => actor.type !== "customer");
  return [...byStaff, ...searches]
    .sort((a, b) => (a.occurredAt < b.occurredAt ? 1 : -1))
    .map(accessOf);
}
