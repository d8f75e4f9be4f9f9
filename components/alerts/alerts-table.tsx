"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { DataTable } from "@/components/ui/table/data-table";
import { RowPeek } from "@/components/ui/table/row-peek";
import { Cell, Head, Row } from "@/components/ui/table/table";
import type { Alert } from "@/lib/features/alerts/contract";
import { AlertState, StateSince } from "./alert-state";
import { conditionText, filterText, valueWords } from "./alert-words";

const AlertPeek = lazyPart(() => import("./alert-peek").then((module) => module.AlertPeek));

const idOf = ({ id }: Alert) => id;

export function AlertsTable({ alerts }: { alerts: Alert[] }) {
  const { view } = usePortal();
  const hrefOf = ({ id }: Alert) => `/t/${view.tenant}/alerts/${id}`;
  return (
    <RowPeek
      items={alerts}
      idOf={idOf}
      peek={(alert, onClose) => <AlertPeek alert={alert} href={hrefOf(alert)} onClose={onClose} />}
    >
      <DataTable label={t("Alerts, firing first")} className="[--row:40px]">
        <Head names={[t("Alert"), t("State"), t("Now"), t("Applies to"), t("Since")]} />
        <tbody>
          {alerts.map((alert) => (
            <AlertRow key={alert.id} alert={alert} href={hrefOf(alert)} />
          ))}
        </tbody>
      </DataTable>
    </RowPeek>
  );
}

function AlertRow({ alert, href }: { alert: Alert; href: string }) {
  return (
    <Row>
      <Cell className="max-w-96 truncate" card="both">
        <Link
          href={href}
          data-row={alert.id}
          className="rounded-control font-medium underline decoration-border-strong underline-offset-4"
        >
          {alert.name}
        </Link>
        <span className="block text-meta text-muted sm:truncate">{conditionText(alert)}</span>
      </Cell>
      <Cell card="end">
        <AlertState alert={alert} />
      </Cell>
      <Cell className="figures" label={t("Now")}>
        {valueWords(alert.measure, alert.state.value)}
      </Cell>
      <Cell className="max-w-64 truncate text-muted">{filterText(alert.filter)}</Cell>
      <Cell className="text-muted" label={t("Since")}>
        <StateSince alert={alert} />
      </Cell>
    </Row>
  );
}
