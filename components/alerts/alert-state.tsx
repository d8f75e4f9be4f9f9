import { msg, t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Instant } from "@/components/ui/instant";
import type { Alert } from "@/lib/features/alerts/contract";

const tones = {
  firing: "danger",
  ok: "success",
  "no-data": "neutral",
  pending: "neutral",
} as const;
const words = {
  firing: msg("Firing"),
  ok: msg("OK"),
  "no-data": msg("No data"),
  pending: msg("Not checked yet"),
};

/** What the last check found, whether somebody takes care of it, and whether it is muted. */
export function AlertState({ alert }: { alert: Alert }) {
  const { status, acknowledgedAt } = alert.state;
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      <Badge tone={acknowledgedAt ? "warning" : tones[status]} dot>
        {t(words[status])}
      </Badge>
      {acknowledgedAt ? <Badge tone="warning">{t("Acknowledged")}</Badge> : null}
      {alert.mutedUntil ? <Badge>{t("Muted")}</Badge> : null}
    </span>
  );
}

/** Since when a rule has its status; nothing before the first check. */
export function StateSince({ alert }: { alert: Alert }) {
  return alert.state.status === "pending" ? null : <Instant at={alert.state.since} />;
}
