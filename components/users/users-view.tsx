"use client";

import { useQuery } from "@tanstack/react-query";
import {
  createParser,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from "nuqs";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { Suspense, startTransition } from "react";
import { t } from "@/components/texts/t";
import { lazyPart } from "@/components/ui/lazy-part";
import { PageHeader } from "@/components/ui/page-header";
import { useColumns } from "@/components/ui/table/chosen-columns";
import { useSelection } from "@/components/ui/table/selection";
import type { User } from "@/lib/features/users/contract";
import { type UserFilter, userFilterNames, userSorts } from "@/lib/features/users/values";
import { InviteButtons } from "./invite-buttons";
import { type Filters, type ListState, listDefaults, readFilter } from "./list-state";
import { columnNames } from "./users-columns";
import { UsersPager } from "./users-pager";
import { useUsersQuery } from "./users-query";
import { UsersResult } from "./users-result";
import { UsersStatusChips } from "./users-status-chips";
import { UsersToolbar } from "./users-toolbar";

const text = parseAsString.withDefault("");

const parserOf = <Value extends string>(read: (text: string) => Value, unset: Value) =>
  createParser<Value>({ parse: read, serialize: (value) => value }).withDefault(unset);

const filterParsers = Object.fromEntries(
  userFilterNames.map((name) => [name, parserOf((value) => readFilter(name, value), "")]),
) as { [Name in UserFilter]: ReturnType<typeof parserOf<Filters[Name]>> };

/** How the browser reads and writes the address of the users table. */
const listParsers = {
  ...filterParsers,
  sort: parseAsStringLiteral(userSorts).withDefault(listDefaults.sort),
  size: parseAsInteger.withDefault(listDefaults.size),
  page: parseAsInteger.withDefault(listDefaults.page),
  cursor: text,
  hide: text,
  columns: text,
};

const BulkBar = lazyPart(() => import("./bulk-bar").then((module) => module.BulkBar), {
  kind: "panel",
});

const columnsOfUsers = { table: "users", ids: Object.keys(columnNames) };

const idOf = ({ id }: User) => id;

interface UsersViewProps {
  roleNames: Record<string, string>;
  mayManage: boolean;
  /** The site that the authority over users comes from; undefined where it is the whole tenant. */
  site: string | undefined;
}

/** The users of the tenant: found, sorted and paged by the service; what is on screen is in the address. */
export function UsersView(props: UsersViewProps) {
  const { mayManage, site, roleNames } = props;
  return (
    <NuqsAdapter>
      <PageHeader
        title={t("Users")}
        wide
        lead={t("Who can sign in to this tenant, and with which roles.")}
        actions={mayManage ? <InviteButtons site={site} roleNames={roleNames} /> : null}
      />
      <UsersOfTheTenant {...props} />
    </NuqsAdapter>
  );
}

function UsersOfTheTenant({ roleNames, mayManage, site }: UsersViewProps) {
  const [state, setState] = useQueryStates(listParsers, { history: "replace", shallow: true });
  const columns = useColumns(columnsOfUsers, state, (address) => void setState(address));
  const found = useQuery(useUsersQuery(state, site));
  const selection = useSelection((mayManage && found.data?.users) || [], idOf);
  const selected = [...selection.chosen.values()];
  const narrow = (change: Partial<ListState>) =>
    startTransition(() => void setState({ ...change, page: null, cursor: null }));
  return (
    <div className="rounded-card border border-border bg-bg">
      <UsersToolbar state={state} onNarrow={narrow} roleNames={roleNames} columns={columns} />
      <UsersStatusChips state={state} onNarrow={narrow} columns={columns.address} />
      {selected.length > 0 ? (
        <Suspense>
          <BulkBar users={selected} site={site} roleNames={roleNames} onClear={selection.clear} />
        </Suspense>
      ) : null}
      <UsersResult
        selection={mayManage ? selection : undefined}
        found={found}
        state={state}
        onNarrow={narrow}
        shown={columns.shown.join()}
        roleNames={roleNames}
      />
      {found.error && !found.data ? null : (
        <UsersPager
          state={state}
          shown={found.data?.users.length ?? 0}
          next={found.isPlaceholderData ? null : (found.data?.next ?? null)}
          onTurn={(change) => void setState(change, { history: "push" })}
        />
      )}
    </div>
  );
}
