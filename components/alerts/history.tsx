"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { type Message, msg, t } from "@/components/texts/t";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Instant } from "@/components/ui/instant";
import { Link } from "@/components/ui/link";
import { ListResult } from "@/components/ui/table/list-result";
import type { AlertEntry } from "@/lib/features/alerts/contract";
import type { AlertMeasure } from "@/lib/features/alerts/values";
import { useHistoryQuery } from "./alert-queries";
import { valueWords } from "./alert-words";

const tones: Partial<Record<AlertEntry["kind"], BadgeTone>> = {
  fired: "danger",
  resolved: "success",
  acknowledged: "warning",
};

const kinds: Record<AlertEntry["kind"], Message> = {
  fired: msg("fired"),
  resolved: msg("resolved"),
  acknowledged: msg("acknowledged"),
  muted: msg("muted"),
  unmuted: msg("unmuted"),
  changed: msg("changed"),
};

const reasons = {
  recovered: msg("The short window is within the threshold."),
  "no-data": msg("No calls in the window."),
  changed: msg("The rule was changed."),
};

interface HistoryProps {
  id: string;
  /** The unit of the values. */
  measure: AlertMeasure;
}

/** The history of an alert, newest first. */
export function AlertHistory({ id, measure }: HistoryProps) {
  const found = useInfiniteQuery(useHistoryQuery(id));
  return (
    <Card title={t("History")} description={t("The newest 1,000 entries.")} id="history" flush>
      <ListResult
        found={found}
        failed={t("The history could not be loaded")}
        more={t("Show older entries")}
        empty={<p className="p-4 text-muted">{t("Nothing has happened yet.")}</p>}
      >
        {(entries) => (
          <ol>
            {entries.map((entry) => (
              <HistoryLine key={entry.number} entry={entry} measure={measure} />
            ))}
          </ol>
        )}
      </ListResult>
    </Card>
  );
}

function HistoryLine({ entry, measure }: { entry: AlertEntry; measure: AlertMeasure }) {
  const { kind, at, value, reason, until, userId } = entry;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-4 py-2.5 last:border-b-0">
      <Badge tone={tones[kind] ?? "neutral"} dot>
        {t(kinds[kind])}
      </Badge>
      <Instant at={at} form="full" />
      {value === null ? null : <span className="figures">{valueWords(measure, value)}</span>}
      {reason ? <span className="text-muted">{t(reasons[reason])}</span> : null}
      {until ? (
        <span className="text-muted">
          {rich("until {when}", { when: <Instant at={until} form="full" /> })}
        </span>
      ) : null}
      {userId ? <By userId={userId} /> : null}
    </li>
  );
}

function By({ userId }: { userId: string }) {
  const { view } = usePortal();
  if (userId === view.user.id) return <span className="text-muted">{t("by you")}</span>;
  if (!view.permissions.includes("user.read"))
    return <span className="text-muted">{t("by {userId}", { userId })}</span>;
  return (
    <span className="text-muted">
      {rich("by {userId}", {
        userId: (
          <Link
            href={`/t/${view.tenant}/users/${userId}`}
            className="rounded-[3px] underline underline-offset-4"
          >
            {userId}
          </Link>
        ),
      })}
    </span>
  );
}
