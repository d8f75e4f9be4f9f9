import { withParts } from "@/components/texts/rich";
import { msg, number, plural, t } from "@/components/texts/t";
import { Instant } from "@/components/ui/instant";
import type { AuditStream } from "@/lib/features/destinations/audit-streams/contract";

/** The lag of the delivery behind the audit trail. */
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

/** The destination of a stream. */
export function placeOf({ kind, url, host, port, bucket, folder }: AuditStream): string {
  if (kind === "syslog") return `${host}:${port}`;
  if (kind === "s3") return `${url}${bucket}`;
  return (kind === "file" ? folder : url) ?? "";
}
