import type { ExportedAuditEvent } from "@/lib/features/audit/contract";
import { entriesAfter } from "@/lib/features/audit/entries";
import { exportedAnswer } from "@/lib/features/audit/list";
import { store } from "@/lib/features/events/delivery/lease";
import type { AuditTarget } from "@/lib/protocol/documents/audit-entry";
import type { StreamSettings } from "@/lib/protocol/documents/delivery";
import { cut } from "@/lib/protocol/text";
import type { StreamRow, StreamSecrets } from "./rows";

export const userAgent = "Gatehouse-Audit-Streams/1";

/** The fields of a stream that a transport needs. */
export interface OpenStream<Settings extends StreamSettings = StreamSettings> {
  tenantId: string;
  streamId: string;
  settings: Settings;
}

/** The same with its secrets. */
export interface TrustedStream<Settings extends StreamSettings> extends OpenStream<Settings> {
  secrets: StreamSecrets;
}

/** A short name of the stream's destination. */
export function nameOf(settings: StreamSettings): string {
  switch (settings.kind) {
    case "https":
      return new URL(settings.url).host;
    case "syslog":
      return `${settings.host}:${settings.port}`;
    case "s3":
      return `${new URL(settings.url).host}/${settings.bucket}`;
    case "file":
      return settings.folder;
  }
}

/** The stream as the target of an audit entry. */
export const targetOf = ({
  streamId: id,
  settings,
}: Pick<StreamRow, "streamId" | "settings">): AuditTarget => ({
  type: "audit-stream",
  id,
  name: cut(nameOf(settings), 128),
});

const maxEntries = 200;
const maxCharacters = 256 * 1024;

/** An entry in the format of the audit export; a test entry is not part of the chain. */
export type StreamedEntry = Omit<ExportedAuditEvent, "chain"> & Partial<ExportedAuditEvent>;

/** Entries that are sent together, in the order of the chain. */
export interface Batch {
  /** The numbers of the first and last entry; both are 0 for a test. */
  first: number;
  last: number;
  entries: StreamedEntry[];
  /** NDJSON: one line for each entry. */
  text: string;
  /** Whether no further entry may be added. */
  isFull: boolean;
}

export function batchOf(entries: StreamedEntry[], isFull = false): Batch {
  const [first, last] = [entries[0]?.chain?.seq ?? 0, entries.at(-1)?.chain?.seq ?? 0];
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  return { first, last, entries, text, isFull };
}

/** As many entries as the limit allows, at least one. */
function fitting(entries: StreamedEntry[]): StreamedEntry[] {
  let size = 0;
  const end = entries.findIndex((entry, index) => {
    size += JSON.stringify(entry).length + 1;
    return index > 0 && size > maxCharacters;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

/** The next entries after a position; undefined when there are none. */
export async function nextBatch(tenantId: string, after: number): Promise<Batch | undefined> {
  const rows = await entriesAfter(store(), { tenantId, after, limit: maxEntries });
  if (rows.length === 0) return undefined;
  const entries = fitting(rows.map(exportedAnswer));
  return batchOf(entries, rows.length === maxEntries || entries.length < rows.length);
}
