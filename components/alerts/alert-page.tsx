"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import type { Alert } from "@/lib/features/alerts/contract";
import { valueText } from "@/lib/features/alerts/values";
import { AlertActions } from "./alert-actions";
import { useAlertQuery } from "./alert-queries";
import { AlertState } from "./alert-state";
import { conditionText, filterText, windowText } from "./alert-words";
import { AlertHistory } from "./history";

/** One alert: what it watches, what its last check found, and its history. */
export function AlertPage({ id }: { id: string }) {
  const { view } = usePortal();
  const found = useQuery(useAlertQuery(id));
  const mayChange = view.permissions.includes("api-metric.write");
  return (
    <Loaded found={found} failed="The alert could not be loaded" skeleton="h-96">
      {(alert) => (
        <>
          <Breadcrumb
            above={[{ label: "Alerts", href: `/t/${view.tenant}/alerts` }]}
            here={alert.name}
          />
          <PageHeader
            title={alert.name}
            lead={`${conditionText(alert)}, ${filterText(alert.filter)}`}
            actions={mayChange ? <AlertActions alert={alert} /> : undefined}
          />
          <div className="flex flex-col gap-6">
            <Remark alert={alert} />
            <Card title="Rule" id="rule">
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
          Firing since {since}.{" "}
          {state.acknowledgedAt ? (
            <>
              Acknowledged <Instant at={state.acknowledgedAt} />.
            </>
          ) : (
            "Nobody has acknowledged it."
          )}
        </Notice>
      ) : null}
      {mutedUntil ? (
        <Notice>
          Muted until <Instant at={mutedUntil} form="full" />: it is still checked, and makes no
          events.
        </Notice>
      ) : null}
    </>
  );
}

function factsOf(alert: Alert) {
  const { measure, state, window, shortWindow, minimumCount, mailTo, createdAt } = alert;
  const figure = (value: number | null) => (
    <span className="figures">{valueText(measure, value)}</span>
  );
  return [
    { name: "State", value: <AlertState alert={alert} /> },
    { name: `Last ${windowText(window)}`, value: figure(state.value) },
    { name: `Last ${windowText(shortWindow)}`, value: figure(state.shortValue) },
    { name: "Threshold", value: figure(alert.threshold) },
    {
      name: "Calls",
      value: (
        <span className="figures">
          {state.calls === null ? "not counted yet" : state.calls.toLocaleString("en")}, at least{" "}
          {minimumCount.toLocaleString("en")} needed
        </span>
      ),
    },
    {
      name: "Checked up to",
      value: state.checkedTo ? <Instant at={state.checkedTo} form="full" /> : "not yet",
    },
    {
      name: "Mails",
      value:
        mailTo.length === 0
          ? "nobody"
          : mailTo.length === 1
            ? "1 person"
            : `${mailTo.length} people`,
    },
    { name: "Created", value: <Instant at={createdAt} form="full" /> },
  ];
}
