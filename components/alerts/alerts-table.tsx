"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Cell, HeadCell, Row } from "@/components/ui/table";
import type { Alert } from "@/lib/features/alerts/contract";
import { AlertState, StateSince } from "./alert-state";
import { conditionText, filterText, valueWords } from "./alert-words";

export function AlertsTable({ alerts }: { alerts: Alert[] }) {
  const { view } = usePortal();
  return (
    <DataTable label={t("Alerts, firing first")} className="[--row:40px]">
      <thead>
        <tr>
          <HeadCell>{t("Alert")}</HeadCell>
          <HeadCell>{t("State")}</HeadCell>
          <HeadCell>{t("Now")}</HeadCell>
          <HeadCell>{t("Applies to")}</HeadCell>
          <HeadCell>{t("Since")}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {alerts.map((alert) => (
          <Row key={alert.id}>
            <Cell className="max-w-96 truncate">
              <Link
                href={`/t/${view.tenant}/alerts/${alert.id}`}
                className="rounded-control font-medium underline decoration-border-strong underline-offset-4"
              >
                {alert.name}
              </Link>
              <span className="block truncate text-meta text-muted">{conditionText(alert)}</span>
            </Cell>
            <Cell>
              <AlertState alert={alert} />
            </Cell>
            <Cell className="figures">{valueWords(alert.measure, alert.state.value)}</Cell>
            <Cell className="max-w-64 truncate text-muted">{filterText(alert.filter)}</Cell>
            <Cell className="text-muted">
              <StateSince alert={alert} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </DataTable>
  );
}
