"use client";

import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useAddress } from "@/components/shell/address";
import { curlByKey } from "@/components/shell/copied-call";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { t } from "@/components/texts/t";
import type { BadgeTone } from "@/components/ui/badge";
import { Button, buttonLook } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { ListResult } from "@/components/ui/table/list-result";
import { type StatusChip, StatusChips } from "@/components/ui/table/status-chips";
import { ViewsMenu } from "@/components/views/views-menu";
import {
  asKeyQuery,
  firstKeys,
  type KeyFilter,
  type KeyQuery,
  keyFilters,
  readKeyFilter,
} from "./key-filters";
import { ManagedKeysTable } from "./managed-keys-table";
import { keyKeys } from "./query-keys";

/** The tenant's keys page by page, or one owner's. */
function useManagedKeys(filter: KeyFilter, owner?: string) {
  const { view, exchange } = usePortal();
  return infiniteQueryOptions({
    queryKey: keyKeys.managedList(view.tenant, owner, filter),
    queryFn: async ({ pageParam, signal }) => {
      const query: KeyQuery = {
        ...firstKeys(filter, owner),
        ...(pageParam && { cursor: pageParam }),
      };
      const { answer, next } = await exchange("GET /v1/user/api-keys", { query, signal });
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: asViewCall({
      operation: "GET /v1/user/api-keys",
      query: asKeyQuery(filter, owner),
    }),
  });
}

/** The keys that match a filter, and more of them after a click. */
export function ManagedKeys({ filter, owner }: { filter: KeyFilter; owner?: string }) {
  const { view } = usePortal();
  const queries = useQueryClient();
  const found = useInfiniteQuery(useManagedKeys(filter, owner));
  const reload = () => void queries.invalidateQueries({ queryKey: keyKeys.managed(view.tenant) });
  return (
    <ListResult
      found={found}
      failed={t("The keys could not be loaded")}
      more={t("Show more keys")}
      empty={<NoKeys filter={filter} owner={owner} />}
      action={<Button onClick={reload}>{t("Try again")}</Button>}
    >
      {(keys) => <ManagedKeysTable keys={keys} oneOwner={owner !== undefined} onDone={reload} />}
    </ListResult>
  );
}

function NoKeys({ filter, owner }: { filter: KeyFilter; owner: string | undefined }) {
  const { view } = usePortal();
  if (filter !== "all")
    return (
      <EmptyState
        title={t("No keys match")}
        purpose={t("No API key in this tenant matches this filter.")}
      />
    );
  const query = owner ? ([["owner", owner]] as const) : [];
  const curl = curlByKey(view, "/v1/user/api-keys", { query });
  return (
    <EmptyState
      title={t("No API keys yet")}
      purpose={
        owner
          ? t("This user's keys appear here with their calls and expiration.")
          : t(
              "Users create their own keys, and managers create them for service users. All keys appear here.",
            )
      }
      action={
        owner ? null : (
          <Link
            href={`/t/${view.tenant}/me?generate=1#api-keys`}
            className={buttonLook("secondary")}
          >
            {t("Generate your own key")}
          </Link>
        )
      }
    >
      <CodeBlock code={curl} label={t("the call that lists keys")} />
    </EmptyState>
  );
}

const tones: Partial<Record<KeyFilter, BadgeTone>> = {
  active: "success",
  expiring: "warning",
  idle: "warning",
  never: "warning",
  locked: "warning",
};

const chips: StatusChip<KeyFilter>[] = Object.entries(keyFilters)
  .map(([value, { label }]) => ({ value: value as KeyFilter, label }))
  .filter(({ value }) => value !== "all")
  .map((chip) => ({ ...chip, ...(tones[chip.value] && { tone: tones[chip.value] }) }));

/** Every key of the tenant; the filter is stored in the address. */
export function KeysPage() {
  const [{ show }, setAddress] = useAddress(["show"]);
  const filter = readKeyFilter(show);
  return (
    <>
      <PageHeader wide title={t("API keys")} lead={t("Find expiring, unused and at-risk keys.")} />
      <div className="rounded-card border border-border bg-bg">
        <StatusChips
          label={t("Status")}
          chips={chips}
          value={filter}
          end={<ViewsMenu page="keys" />}
          onChange={(next) => setAddress({ show: next })}
        />
        <ManagedKeys filter={filter} />
      </div>
    </>
  );
}
