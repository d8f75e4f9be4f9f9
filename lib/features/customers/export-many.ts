import type { z } from "zod";
import { transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import type { Context } from "@/lib/http/context";
import { streamText } from "@/lib/http/responses";
import type { CustomerProfile } from "@/lib/protocol/documents/customer-profile";
import { beforeFirstPage, customersBefore, type Staff, siteIdsOf } from "./customer-queries";
import type { ExportCustomers } from "./managing-contract";
import { sitesWithout, withoutTokens } from "./site-rights";

type Part = CustomerProfile[];

const partSize = 200;

async function* parts(caller: Staff): AsyncGenerator<Part> {
  for (let before: string | undefined = beforeFirstPage; before !== undefined; ) {
    const rows: Awaited<ReturnType<typeof customersBefore>> = await customersBefore(
      caller,
      before,
      partSize,
    );
    yield rows
      .filter((row) => sitesWithout(caller, "customer.manage", siteIdsOf(row)).length === 0)
      .map((row) => ({
        ...{ id: row.id, login: row.login, siteIds: siteIdsOf(row) },
        registrationDate: row.registeredAt.toISOString(),
        ...row.details,
        creditCards: withoutTokens(row.details.creditCards),
      }));
    before = rows.length < partSize ? undefined : rows.at(-1)?.id;
  }
}

/** The customers of the request's site, as a streamed list, in NDJSON if requested. Recorded first. */
export async function exportCustomers(
  context: Pick<
    Context<unknown, z.output<typeof ExportCustomers>, string, Staff>,
    "caller" | "body" | "format" | "responseHeaders"
  >,
) {
  const { caller, body, format } = context;
  await transaction((tx) =>
    record(tx, actingAs(caller), {
      action: "customer.exported",
      target: { type: "site", id: caller.siteId ?? "" },
      changes: { reason: { after: body.reason } },
    }),
  );
  const list = parts(caller);
  if (format === "application/json") return list;
  return streamText(context, list, { line: (customer) => `${JSON.stringify(customer)}\n` });
}
