"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { useSiteName } from "@/components/shell/site";
import { msg, plural, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/form/field";
import { useLastData } from "@/components/ui/last-data";
import { isWaiting, needsNotice, RefetchNotice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { Pager } from "@/components/ui/table/pager";
import { type StatusChip, StatusChips } from "@/components/ui/table/status-chips";
import { ViewsMenu } from "@/components/views/views-menu";
import { curlLine } from "@/lib/protocol/curl";
import { CustomersTable } from "./customers-table";
import { ListActions } from "./list-actions";
import { type CustomerPage, type ListState, listKey, listQuery, lockStates } from "./list-state";

interface CustomerSearchProps {
  value: string;
  onSearch: (q: string) => void;
}

/** Searches on submit, not while typing: each search adds an audit entry. */
function CustomerSearch({ value, onSearch }: CustomerSearchProps) {
  const [text, setText] = useState(value);
  return (
    <search className="border-b border-border p-3 print:hidden">
      <form
        method="post"
        className="flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <Input
          type="search"
          aria-label={t("Whole login, e-mail address or customer id")}
          placeholder={t("Whole login, e-mail address or id")}
          className="min-w-52 flex-1 basis-60 sm:max-w-96"
          maxLength={256}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit">{t("Find customer")}</Button>
        {value ? (
          <Button tone="quiet" onClick={() => onSearch("")}>
            {t("Show all")}
          </Button>
        ) : null}
      </form>
    </search>
  );
}

const chips: StatusChip<"true" | "false">[] = [
  { value: "false", label: msg("Active"), tone: "success" },
  { value: "true", label: msg("Locked"), tone: "danger" },
];

interface CustomersStatusChipsProps {
  lock: ListState["lock"];
  onChange: (lock: ListState["lock"]) => void;
}

function CustomersStatusChips({ lock, onChange }: CustomersStatusChipsProps) {
  return (
    <StatusChips
      label={t("Status")}
      chips={chips}
      value={lock}
      onChange={onChange}
      end={<ViewsMenu page="customers" />}
    />
  );
}

const parsers = {
  q: parseAsString.withDefault(""),
  lock: parseAsStringLiteral(lockStates).withDefault(""),
  page: parseAsInteger.withDefault(1),
  cursor: parseAsString.withDefault(""),
};

/** The customers of one site: found by exact match, paged by the service, masked. */
export function CustomersView({ site }: { site: string }) {
  const siteName = useSiteName()(site);
  return (
    <NuqsAdapter>
      <PageHeader
        title={t("Customers")}
        wide
        lead={t(
          "Customers of {site}. Personal data is masked; each search and each reveal is recorded with your name.",
          { site: siteName },
        )}
        actions={<ListActions site={site} />}
      />
      <FoundCustomers site={site} />
    </NuqsAdapter>
  );
}

function useCustomers(site: string, state: ListState) {
  const { view, exchange } = usePortal();
  return useQuery({
    queryKey: listKey(view.tenant, site, state),
    queryFn: async ({ signal }): Promise<CustomerPage> => {
      const { answer, next } = await exchange("GET /v1/customers", {
        site,
        query: listQuery(state),
        signal,
      });
      return { customers: answer, next: next?.get("cursor") ?? null };
    },
    placeholderData: (before) => before,
    // Not refetched automatically: each search adds an audit entry.
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

function FoundCustomers({ site }: { site: string }) {
  const [state, setState] = useQueryStates(parsers, { history: "push", shallow: true });
  const found = useCustomers(site, state);
  const { error, isPlaceholderData } = found;
  const data = useLastData(found);
  const search = (q: string) => void setState({ q: q || null, page: null, cursor: null });
  return (
    <div className="rounded-card border border-border bg-bg">
      <CustomersStatusChips
        lock={state.lock}
        onChange={(lock) => void setState({ lock: lock || null, page: null, cursor: null })}
      />
      <CustomerSearch key={state.q} value={state.q} onSearch={search} />
      {needsNotice(found) ? (
        <div className="p-3">
          <RefetchNotice found={found} failed={t("The customers could not be loaded")} />
        </div>
      ) : null}
      {!data && !error ? <Skeleton className="m-3 h-96" /> : null}
      {data?.customers.length === 0 ? (
        <NoCustomers
          site={site}
          state={state}
          onClear={() => void setState({ q: null, lock: null, page: null, cursor: null })}
        />
      ) : null}
      {data && data.customers.length > 0 ? (
        <div
          className={
            isPlaceholderData && !isWaiting(found)
              ? "opacity-60 transition-opacity duration-150"
              : undefined
          }
          aria-busy={isPlaceholderData}
        >
          <CustomersTable customers={data.customers} site={site} />
        </div>
      ) : null}
      {data && (data.customers.length > 0 || state.page > 1) ? (
        <Pager
          page={state.page}
          cursor={state.cursor}
          next={data.next}
          status={statusOf(data, state.page)}
          onTurn={(to) => void setState(to)}
        />
      ) : null}
    </div>
  );
}

const statusOf = ({ customers: { length } }: CustomerPage, page: number) =>
  t("{customersIn} on page {page}, newest first", {
    customersIn: plural(length, "1 customer", "{count} customers"),
    page,
  });

interface NoCustomersProps {
  site: string;
  state: ListState;
  onClear: () => void;
}

function NoCustomers({ site, state: { q, lock }, onClear }: NoCustomersProps) {
  const { view } = usePortal();
  if (q) {
    return (
      <EmptyState
        title={t("No customer has exactly this login, e-mail address or id")}
        purpose={t("Search finds exact matches only, to protect customer data.")}
        action={<Button onClick={onClear}>{t("Show all customers")}</Button>}
      />
    );
  }
  if (lock) {
    return (
      <EmptyState
        title={t("No customers match")}
        purpose={t("No customer of this site has this status.")}
        action={<Button onClick={onClear}>{t("Show all customers")}</Button>}
      />
    );
  }
  return (
    <EmptyState
      title={t("No customers yet")}
      purpose={t(
        "Customers appear here when they register at this site, or when you create or import them.",
      )}
    >
      <CodeBlock
        label={t("the call that registers one")}
        code={curlLine({
          url: `${view.origin}/v1/customer/registration`,
          headers: [
            ["X-Service-Tenant", view.tenant],
            ["X-Service-Site", site],
            ["Authorization", { before: "Bearer ", variable: "ANONYMOUS_TOKEN" }],
            ["Content-Type", "application/json"],
          ],
          data: '{"login":"ann","password":"a longer secret"}',
        })}
      />
    </EmptyState>
  );
}
