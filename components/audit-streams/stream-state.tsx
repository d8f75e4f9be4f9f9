import { withParts } from "@/components/texts/rich";
import { msg, number, plural, t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Instant } from "@/components/ui/instant";
import type { AuditStream } from "@/lib/features/audit-streams/contract";

/** Whether entries are sent, and whether they arrive. */
export function StreamState({ stream }: { stream: AuditStream }) {
  if (stream.status === "disabled")
    return (
      <Badge tone={stream.disabledReason === "by-user" ? "neutral" : "danger"} dot>
        {t("disabled")}
      </Badge>
    );
  return stream.state.failingSince ? (
    <Badge tone="warning" dot>
      {t("failing")}
    </Badge>
  ) : (
    <Badge tone="success" dot>
      {t("enabled")}
    </Badge>
  );
}

/** How far the delivery is behind the trail. */
export function StreamLag({ stream }: { stream: AuditStream }) {
  const { behind, behindSince } = stream.state;
  if (behind === 0) return <>{t("up to date")}</>;
  return (
    <span>
      {behindSince
        ? withParts(
            plural(
              behind,
              "{count} entry, the oldest {when}",
              "{count} entries, the oldest {when}",
              { count: number(behind) },
            ),
            { when: <Instant at={behindSince} /> },
          )
        : plural(behind, "{count} entry", "{count} entries", { count: number(behind) })}
    </span>
  );
}

export const kindNames = {
  https: msg("HTTPS"),
  syslog: msg("Syslog over TLS"),
  s3: msg("S3-compatible storage"),
  file: msg("File"),
} as const;

/** Where a stream leads. */
export function placeOf({ kind, url, host, port, bucket, folder }: AuditStream): string {
  if (kind === "syslog") return `${host}:${port}`;
  if (kind === "s3") return `${url}${bucket}`;
  return (kind === "file" ? folder : url) ?? "";
}
