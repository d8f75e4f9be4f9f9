import type { AuditTarget } from "@/lib/protocol/documents/audit-entry";
import type { StreamSettings } from "@/lib/protocol/documents/audit-stream";
import { cut } from "@/lib/protocol/text";
import type { StreamRow } from "./rows";
import type { StreamSecrets } from "./secrets";

export const userAgent = "Gatehouse-Audit-Streams/1";

/** What a transport needs to know of a stream. */
export interface OpenStream<Settings extends StreamSettings = StreamSettings> {
  tenantId: string;
  streamId: string;
  settings: Settings;
}

/** The same with what is secret. */
export interface TrustedStream<Settings extends StreamSettings> extends OpenStream<Settings> {
  secrets: StreamSecrets;
}

/** Where a stream leads, in a few words. */
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

/** The stream as the trail names it. */
export const targetOf = ({
  streamId: id,
  settings,
}: Pick<StreamRow, "streamId" | "settings">): AuditTarget => ({
  type: "audit-stream",
  id,
  name: cut(nameOf(settings), 128),
});
