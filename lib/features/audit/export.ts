import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import type { Context } from "@/lib/http/context";
import { streamText } from "@/lib/http/responses";
import type { ExportAuditEventsQuery, ExportedAuditEvent } from "./contract";
import { auditCsv, exportAuditEvents } from "./list";

type Asking = Pick<Context, "format" | "responseHeaders"> & {
  caller: Caller;
  query: z.output<typeof ExportAuditEventsQuery>;
};

/** All matching entries, in the format the caller accepts, sent while they are read. */
export async function sendExport(
  asking: Asking,
): Promise<Response | AsyncIterable<ExportedAuditEvent[]>> {
  const { caller, query, format } = asking;
  const parts = exportAuditEvents(caller, query);
  if (format === "text/csv") return streamText(asking, parts, auditCsv);
  if (format === "application/x-ndjson")
    return streamText(asking, parts, { line: (event) => `${JSON.stringify(event)}\n` });
  return parts;
}
