import { msg, number, plural, t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Facts } from "@/components/ui/card";
import { Instant } from "@/components/ui/instant";
import type { Alert } from "@/lib/features/alerts/contract";
import { valueWords, windowText } from "./alert-words";

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

/** The result of the last check, who acknowledged it, and whether the rule is muted. */
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

/** The time since which a rule has its status; empty before the first check. */
export function StateSince({ alert }: { alert: Alert }) {
  return alert.state.status === "pending" ? null : <Instant at={alert.state.since} />;
}

/** The condition of a rule and the result of its last check. */
export function AlertFacts({ alert }: { alert: Alert }) {
  return <Facts facts={factsOf(alert)} />;
}

function factsOf(alert: Alert) {
  const { measure, state, window, shortWindow, minimumCount, mailTo, createdAt } = alert;
  const figure = (value: number | null) => (
    <span className="figures">{valueWords(measure, value)}</span>
  );
  const needed = number(minimumCount);
  return [
    { name: t("State"), value: <AlertState alert={alert} /> },
    {
      name: t("Last {windowText}", { windowText: windowText(window) }),
      value: figure(state.value),
    },
    {
      name: t("Last {windowText}", { windowText: windowText(shortWindow) }),
      value: figure(state.shortValue),
    },
    { name: t("Threshold"), value: figure(alert.threshold) },
    {
      name: t("Calls"),
      value: (
        <span className="figures">
          {state.calls === null
            ? t("not counted yet, at least {needed} needed", { needed })
            : t("{calls}, at least {needed} needed", { calls: number(state.calls), needed })}
        </span>
      ),
    },
    {
      name: t("Checked up to"),
      value: state.checkedTo ? <Instant at={state.checkedTo} form="full" /> : t("not yet"),
    },
    {
      name: t("Mails"),
      value:
        mailTo.length === 0 ? t("nobody") : plural(mailTo.length, "1 person", "{count} people"),
    },
    { name: t("Created"), value: <Instant at={createdAt} form="full" /> },
  ];
}
