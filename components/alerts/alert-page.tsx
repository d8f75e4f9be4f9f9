"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import { Notice } from "@/components/ui/notice";
import { Breadcrumb, PageHeader } from "@/components/ui/page-header";
import type { Alert } from "@/lib/features/alerts/contract";
import { AlertActions } from "./alert-actions";
import { AlertFacts } from "./alert-facts";
import { useAlertQuery } from "./alert-queries";
import { conditionText, filterText } from "./alert-words";
import { AlertHistory } from "./history";

/** One alert: its condition, the result of its last check, and its history. */
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
              <AlertFacts alert={alert} />
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
