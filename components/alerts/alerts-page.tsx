"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useAddress } from "@/components/shell/address";
import { useAskedAction } from "@/components/shell/asked-action";
import { usePortal } from "@/components/shell/portal";
import { msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { holdsWords, SearchBar } from "@/components/ui/form/search-input";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { DataTable } from "@/components/ui/table/data-table";
import { Few } from "@/components/ui/table/few";
import { ListResult } from "@/components/ui/table/list-result";
import { RowPeek } from "@/components/ui/table/row-peek";
import { type StatusChip, StatusChips } from "@/components/ui/table/status-chips";
import { Cell, Row } from "@/components/ui/table/table";
import { useWholeList } from "@/components/ui/whole-list";
import { ViewsMenu } from "@/components/views/views-menu";
import type { Alert } from "@/lib/features/alerts/contract";
import { AlertState, StateSince } from "./alert-facts";
import { useAlertsQuery } from "./alert-queries";
import { byUrgency, conditionText, filterText, isMuted, valueWords } from "./alert-words";
import { RuleDialog } from "./rule-dialog";

const AlertPeek = lazyPart(() => import("./alert-peek").then((module) => module.AlertPeek));

const idOf = ({ id }: Alert) => id;

function AlertsTable({ alerts }: { alerts: Alert[] }) {
  const { view } = usePortal();
  const hrefOf = ({ id }: Alert) => `/t/${view.tenant}/alerts/${id}`;
  return (
    <RowPeek
      items={alerts}
      idOf={idOf}
      peek={(alert, onClose) => <AlertPeek alert={alert} href={hrefOf(alert)} onClose={onClose} />}
    >
      <DataTable
        label={t("Alerts, firing first")}
        className="[--row:40px]"
        name="alerts"
        heads={[t("Alert"), t("State"), t("Now"), t("Applies to"), t("Since")]}
      >
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

const chips: StatusChip<string>[] = [
  { value: "firing", label: msg("Firing"), tone: "danger" },
  { value: "ok", label: msg("OK"), tone: "success" },
  { value: "no-data", label: msg("No data"), tone: "neutral" },
  { value: "muted", label: msg("Muted"), tone: "neutral" },
];

const isShown = (alert: Alert, shown: string) =>
  shown === "" || (shown === "muted" ? isMuted(alert) : alert.state.status === shown);

const textOf = (alert: Alert) =>
  [alert.name, conditionText(alert), filterText(alert.filter)].join(" ");

/** The tenant's alert rules with their state, firing ones first. */
export function AlertsPage() {
  const { view } = usePortal();
  const found = useInfiniteQuery(useAlertsQuery());
  const [{ state, q }] = useAddress(["state", "q"]);
  useWholeList(found, state !== "" || q !== "");
  const mayChange = view.permissions.includes("api-metric.write");
  const [action, setAction] = useAskedAction<"create">(mayChange ? ["create"] : []);
  return (
    <>
      <PageHeader
        title={t("Alerts")}
        wide
        lead={t(
          "Rules about your calls, checked each minute. Webhooks receive alert.fired and alert.resolved, and people a mail.",
        )}
        actions={
          mayChange ? (
            <Button tone="primary" onClick={() => setAction("create")}>
              {t("Create alert")}
            </Button>
          ) : undefined
        }
      />
      <div className="rounded-card border border-border bg-bg">
        <ListResult
          found={found}
          failed={t("The alerts could not be loaded")}
          more={t("Show more alerts")}
          empty={
            <EmptyState
              title={t("No alerts yet")}
              purpose={t(
                "An alert fires when calls fail, slow down, flood or stop, and resolves by itself.",
              )}
            />
          }
        >
          {(alerts) => <FilteredAlerts alerts={alerts} isComplete={!found.hasNextPage} />}
        </ListResult>
      </div>
      {action ? <RuleDialog onClose={() => setAction(undefined)} /> : null}
    </>
  );
}

interface FilteredAlertsProps {
  alerts: Alert[];
  /** Whether all rules are loaded: only then can they be counted. */
  isComplete: boolean;
}

function FilteredAlerts({ alerts, isComplete }: FilteredAlertsProps) {
  const [{ state: shown, q }, setAddress] = useAddress(["state", "q"]);
  const found = alerts.filter((alert) => holdsWords(textOf(alert), q));
  const matching = found.filter((alert) => isShown(alert, shown)).toSorted(byUrgency);
  return (
    <>
      <SearchBar
        label={t("Search alerts")}
        placeholder={t("Name, endpoint or key")}
        value={q}
        onChange={(next) => setAddress({ q: next })}
      />
      <StatusChips
        label={t("State")}
        chips={chips.map((chip) =>
          isComplete
            ? { ...chip, count: found.filter((alert) => isShown(alert, chip.value)).length }
            : chip,
        )}
        value={shown}
        end={<ViewsMenu page="alerts" />}
        onChange={(state) => setAddress({ state })}
      />
      {matching.length > 0 ? (
        <Few items={matching}>{(shown) => <AlertsTable alerts={shown} />}</Few>
      ) : (
        <p className="p-4 text-muted">{t("No alert matches.")}</p>
      )}
    </>
  );
}
