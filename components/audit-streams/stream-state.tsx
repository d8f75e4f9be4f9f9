import { Badge } from "@/components/ui/badge";
import { Instant } from "@/components/ui/instant";
import type { AuditStream } from "@/lib/features/audit-streams/contract";

/** Whether entries are sent, and whether they arrive. */
export function StreamState({ stream }: { stream: AuditStream }) {
  if (stream.status === "disabled")
    return (
      <Badge tone={stream.disabledReason === "by-user" ? "neutral" : "danger"} dot>
        disabled
      </Badge>
    );
  return stream.state.failingSince ? (
    <Badge tone="warning" dot>
      failing
    </Badge>
  ) : (
    <Badge tone="success" dot>
      enabled
    </Badge>
  );
}

/** How far the delivery is behind the trail. */
export function StreamLag({ stream }: { stream: AuditStream }) {
  const { behind, behindSince } = stream.state;
  if (behind === 0) return <>up to date</>;
  return (
    <span>
      {behind.toLocaleString("en")} {behind === 1 ? "entry" : "entries"}
      {behindSince ? (
        <>
          , the oldest <Instant at={behindSince} />
        </>
      ) : null}
    </span>
  );
}

export const kindNames = {
  https: "HTTPS",
  syslog: "Syslog over TLS",
  s3: "S3-compatible storage",
  file: "File",
} as const;

/** Where a stream leads. */
export function placeOf({ kind, url, host, port, bucket, folder }: AuditStream): string {
  if (kind === "syslog") return `${host}:${port}`;
  if (kind === "s3") return `${url}${bucket}`;
  return (kind === "file" ? folder : url) ?? "";
}
