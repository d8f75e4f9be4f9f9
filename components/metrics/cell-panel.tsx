"use client";

import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { type RequestFilters, requestsPath } from "@/components/request-log/requests-path";
import { usePortal } from "@/components/shell/portal";
import { number, t } from "@/components/texts/t";
import { Button, buttonLook } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Loaded } from "@/components/ui/loaded";
import { HeadCell, Row, Table, Cell as TableCell } from "@/components/ui/table/table";
import { AddNote } from "./add-note";
import { type Behind, type Cell, isOfErrors, useCellQuery } from "./cell-query";
import type { MetricsData, Top } from "./load";
import { PointMarkers } from "./point-markers";
import { keyName } from "./series";
import type { MetricsState } from "./state";

interface CellPanelProps {
  cell: Cell;
  state: MetricsState;
  data: MetricsData;
  moment: (at: number) => string;
  onClose: () => void;
}

type Filters = Partial<RequestFilters>;

const single = ([value, ...others]: string[]) => (others.length === 0 ? value : undefined);

/** The filters of the request log: the cell's time, and each filter of the page that has exactly one value. */
function filtersOf(cell: Cell, { endpoint, apiKey, site }: MetricsState): Filters {
  const given = { operation: single(endpoint), apiKey: single(apiKey), site: single(site) };
  return {
    from: new Date(cell.from).toISOString(),
    to: new Date(cell.to).toISOString(),
    outcome: isOfErrors(cell) ? "" : "all",
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)),
  };
}

const titleOf = (cell: Cell, moment: string) =>
  isOfErrors(cell) ? t("Errors from {moment}", { moment }) : t("Calls from {moment}", { moment });

/** Ignores Esc in dialogs, whose events React bubbles to here from elsewhere in the DOM. */
const isEscapeWithin = ({ key, currentTarget, target }: KeyboardEvent<HTMLElement>) =>
  key === "Escape" && target instanceof Node && currentTarget.contains(target);

/** Focuses the heading without scrolling: the panel opens in view. */
function useHeadingFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return heading;
}

/** The keys and endpoints of a point of a chart, its markers, and links to the requests. */
export function CellPanel({ cell, state, data, moment, onClose }: CellPanelProps) {
  const found = useQuery(useCellQuery(cell, state));
  const heading = useHeadingFocus();
  const { view } = usePortal();
  const { zone, sample: isSample } = state;
  const mayReadLog = view.permissions.includes("audit.read") && !isSample;
  const filters = filtersOf(cell, state);
  const linkOf = (more: Filters) =>
    mayReadLog ? requestsPath(view.tenant, { ...filters, ...more }) : undefined;
  const all = linkOf({});
  return (
    <section
      aria-labelledby="cell-title"
      className="@container mb-3 border-y border-accent bg-bg"
      onKeyDown={(event) => {
        if (!isEscapeWithin(event)) return;
        event.preventDefault();
        onClose();
      }}
    >
      <header className="flex flex-wrap items-center gap-2 border-b border-border px-4 py-2">
        <h2
          ref={heading}
          id="cell-title"
          tabIndex={-1}
          className="min-w-0 flex-1 basis-full text-control font-semibold sm:basis-48"
        >
          {titleOf(cell, moment(cell.from))}
        </h2>
        {all ? (
          <Link href={all} className={buttonLook("secondary", "small")}>
            {t("Show requests")}
          </Link>
        ) : null}
        <AddNote label={t("Add note here")} from={cell.from} {...{ zone, isSample }} />
        <Button size="small" tone="quiet" onClick={onClose}>
          {t("Close")}
        </Button>
      </header>
      <PointMarkers point={cell} markers={data.markers} moment={moment} />
      <Loaded
        found={found}
        failed={t("The calls of this point could not be loaded")}
        skeleton="m-4 h-32"
      >
        {(behind) => <Tables behind={behind} data={data} linkOf={linkOf} />}
      </Loaded>
    </section>
  );
}

interface TablesProps {
  behind: Behind;
  data: MetricsData;
  linkOf: (more: Filters) => string | undefined;
}

function Tables({ behind: { keys, endpoints }, data, linkOf }: TablesProps) {
  const ofKey = ({ apiKey = "" }: Record<string, string>) => ({
    name: keyName(data.metadata.apiKeys, apiKey),
    href: apiKey ? linkOf({ apiKey }) : undefined,
  });
  const ofEndpoint = ({ endpoint = "", status = "" }: Record<string, string>) => ({
    name: `${endpoint} ${status}`,
    href: linkOf({ ...(endpoint.startsWith("*") ? {} : { operation: endpoint }), status }),
  });
  return (
    <div className="grid grid-cols-1 gap-x-4 @3xl:grid-cols-2">
      <TopTable label={t("API keys")} rows={keys} read={ofKey} />
      <TopTable label={t("Endpoints")} rows={endpoints} read={ofEndpoint} />
    </div>
  );
}

interface TopTableProps {
  label: string;
  rows: Top;
  read: (groups: Record<string, string>) => { name: string; href: string | undefined };
}

const share = (value: number) => number(value, { style: "percent", maximumFractionDigits: 1 });

function TopTable({ label, rows, read }: TopTableProps) {
  return (
    <Table label={t("{label} behind this point", { label })} className="[--row:32px]">
      <thead>
        <tr>
          <HeadCell>{label}</HeadCell>
          <HeadCell className="text-end">{t("Calls")}</HeadCell>
          <HeadCell className="text-end">{t("Share##of all")}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ groups, count, share: part }) => (
          <Row key={JSON.stringify(groups)}>
            <TableCell className="w-full max-w-0 truncate">
              <Leading {...read(groups)} />
            </TableCell>
            <TableCell className="figures text-end">{number(count)}</TableCell>
            <TableCell className="figures text-end text-muted">{share(part)}</TableCell>
          </Row>
        ))}
        {rows.length === 0 ? (
          <Row>
            <TableCell className="text-muted">{t("No calls")}</TableCell>
          </Row>
        ) : null}
      </tbody>
    </Table>
  );
}

/** A name that links to its requests, for users who may read them. */
function Leading({ name, href }: { name: string; href: string | undefined }): ReactNode {
  if (href === undefined) return name;
  return (
    <Link
      href={href}
      className="rounded-control font-medium underline decoration-border-strong underline-offset-4"
    >
      {name}
    </Link>
  );
}
