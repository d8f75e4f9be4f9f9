"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { number, plural, t } from "@/components/texts/t";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import type { Alert } from "@/lib/features/alerts/contract";
import { AlertActions } from "./alert-actions";
import { useAlertQuery } from "./alert-queries";
import { AlertState } from "./alert-state";
import { conditionText, filterText, valueWords, windowText } from "./alert-words";
import { AlertHistory } from "./history";

/** One alert: what it watches, what its last check found, and its history. */
export function AlertPage({ id }: { id: string }) {
  const { view } = usePortal();
  const found = useQuery(useAlertQuery(id));
  const mayChange = view.permissions.includes("api-metric.write");
  return (
    <Loaded found={found} failed={t("The alert could not be loaded")} skeleton="h-96">
      {(alert) => (
        <>
          <Breadcrumb
            above={[{ label: t("Alerts"), href: `/t/${view.tenant}/alerts` }]}
            here={alert.name}
          />
          <PageHeader
            title={alert.name}
            lead={`${conditionText(alert)}, ${filterText(alert.filter)}`}
            actions={mayChange ? <AlertActions alert={alert} /> : undefined}
          />
          <div className="flex flex-col gap-6">
            <Remark alert={alert} />
            <Card title={t("Rule")} id="rule">
              <Facts facts={factsOf(alert)} />
            </Card>
            <AlertHistory id={id} measure={alert.measure} />
          </div>
        </>
      )}
    </Loaded>
  );
}

function Remark({ alert }: { alert: Alert }) {
  const { state, mutedUntil } = alert;
  const since = <Instant at={state.since} form="full" />;
  return (
    <>
      {state.status === "firing" ? (
        <Notice tone="warning">
          {rich("Firing since {since}. {acknowledged}", {
            since,
            acknowledged: state.acknowledgedAt
              ? rich("Acknowledged {when}.", { when: <Instant at={state.acknowledgedAt} /> })
              : t("Nobody has acknowledged it."),
          })}
        </Notice>
      ) : null}
      {mutedUntil ? (
        <Notice>
          {rich("Muted until {when}: it is still checked, and makes no events.", {
            when: <Instant at={mutedUntil} form="full" />,
          })}
        </Notice>
      ) : null}
    </>
  );
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
