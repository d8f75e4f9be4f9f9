import type { z } from "zod";
import type { SignedInShopper } from "@/lib/access/caller";
import type { AuditEvent } from "@/lib/features/audit/contract";
import { readEntriesAbout, readSearchesThatFound } from "@/lib/features/audit/entries-about";
import type { Context } from "@/lib/http/context";
import { streamText } from "@/lib/http/responses";
import { listActivity, listSignIns } from "./activity-queries";
import type { CustomerAccess, ExportRecord } from "./contract";
import { getOwnProfile } from "./own-profile";

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
  // The reason of a lock is visible to staff only, as it is at sign-in.
  const reason = isReveal ? textOf(changes.reason?.after) : undefined;
  return {
    occurredAt,
    action,
    by: { type: actor.type, id: actor.id },
    fields: isReveal ? textsOf(changes.fields?.after) : [],
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Staff who revealed, searched or changed a customer, newest first: the latest 1,000 of each. Staff are listed by id. */
async function listAccesses({
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

type Part = z.input<typeof ExportRecord>[];

const partSize = 500;

async function* parts(shopper: SignedInShopper, profile: Part): AsyncGenerator<Part> {
  yield profile;
  yield (await listSignIns(shopper)).map((data) => ({ type: "session", data }));
  for (let before: string | undefined; ; ) {
    const { items, next } = await listActivity(shopper, partSize, { before });
    yield items.map((data) => ({ type: "activity", data }));
    if (next === undefined) break;
    before = next;
  }
  yield (await listAccesses(shopper)).map((data) => ({ type: "access", data }));
}

/** All stored data of the caller's own account, as a streamed list, in NDJSON if requested. */
export async function exportOwn(
  context: Pick<
    Context<unknown, unknown, string, SignedInShopper>,
    "caller" | "format" | "responseHeaders"
  >,
) {
  const { caller, format } = context;
  const { profile } = await getOwnProfile(caller);
  const list = parts(caller, [{ type: "profile", data: profile }]);
  if (format === "application/json") return list;
  return streamText(context, list, { line: (record) => `${JSON.stringify(record)}\n` });
}
