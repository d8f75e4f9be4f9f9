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
import { useAskedAction } from "@/components/shell/asked-action";
import { plural, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/form/field";
import { lazyPart } from "@/components/ui/lazy-part";
import { PageHeader } from "@/components/ui/page-header";
import { useColumns } from "@/components/ui/table/chosen-columns";
import { Pager } from "@/components/ui/table/pager";
import { useSelection } from "@/components/ui/table/selection";
import type { User } from "@/lib/features/users/contract";
import { type UserFilter, userFilterNames, userSorts } from "@/lib/features/users/values";
import type { NewUserKind } from "./invite-dialog";
import { type Filters, type ListState, listDefaults, pageSizes, readFilter } from "./list-state";
import { columnNames } from "./users-columns";
import { useUsersQuery } from "./users-query";
import { UsersResult } from "./users-result";
import { UsersStatusChips } from "./users-status-chips";
import { UsersToolbar } from "./users-toolbar";

interface UsersPagerProps {
  state: ListState;
  shown: number;
  next: string | null;
  onTurn: (change: Partial<Pick<ListState, "page" | "cursor" | "size">>) => void;
}

function statusOf({ state: { page, size }, shown, next }: UsersPagerProps): string {
  const first = (page - 1) * size + 1;
  if (shown === 0) return t("No users");
  if (page === 1 && next === null) return plural(shown, "1 user", "{count} users");
  const values = { first, last: first + shown - 1 };
  return next === null
    ? t("Users {first} to {last} (last page)", values)
    : t("Users {first} to {last}", values);
}

function UsersPager(props: UsersPagerProps) {
  const { state, next, onTurn } = props;
  return (
    <Pager
      page={state.page}
      cursor={state.cursor}
      next={next}
      status={statusOf(props)}
      onTurn={onTurn}
    >
      <Select
        aria-label={t("Users per page")}
        value={String(state.size)}
        onChange={(event) => onTurn({ size: Number(event.target.value), page: 1, cursor: "" })}
      >
        {pageSizes.map((one) => (
          <option key={one} value={one}>
            {t("{count} per page", { count: one })}
          </option>
        ))}
      </Select>
    </Pager>
  );
}

const InviteDialog = lazyPart(() =>
  import("./invite-dialog").then((module) => module.InviteDialog),
);

/** The two buttons that create a user. */
function InviteButtons({
  site,
  roleNames,
}: {
  site: string | undefined;
  roleNames: Record<string, string>;
}) {
  const [action, setAction] = useAskedAction<NewUserKind | "create">(["create"]);
  const kind = action === "create" ? "person" : action;
  return (
    <div className="flex flex-wrap gap-2" onPointerEnter={InviteDialog.preload}>
      <Button onClick={() => setAction("service")}>{t("Add service user")}</Button>
      <Button tone="primary" onClick={() => setAction("person")}>
        {t("Invite user")}
      </Button>
      <Suspense>
        {kind ? (
          <InviteDialog
            kind={kind}
            site={site}
            roleNames={roleNames}
            onClose={() => setAction(undefined)}
          />
        ) : null}
      </Suspense>
    </div>
  );
}

const text = parseAsString.withDefault("");

const parserOf = <Value extends string>(read: (text: string) => Value, unset: Value) =>
  createParser<Value>({ parse: read, serialize: (value) => value }).withDefault(unset);

const filterParsers = Object.fromEntries(
  userFilterNames.map((name) => [name, parserOf((value) => readFilter(name, value), "")]),
) as { [Name in UserFilter]: ReturnType<typeof parserOf<Filters[Name]>> };

/** The browser's parsers for the address of the users table. */
const listParsers = {
  ...filterParsers,
  sort: parseAsStringLiteral(userSorts).withDefault(listDefaults.sort),
  size: parseAsInteger.withDefault(listDefaults.size),
  page: parseAsInteger.withDefault(listDefaults.page),
  cursor: text,
  hide: text,
  columns: text,
  widths: text,
};

const BulkBar = lazyPart(() => import("./bulk-bar").then((module) => module.BulkBar), {
  kind: "panel",
});

const columnsOfUsers = { table: "users", ids: Object.keys(columnNames) };

const idOf = ({ id }: User) => id;

interface UsersViewProps {
  roleNames: Record<string, string>;
  mayManage: boolean;
  /** The site of the permission to manage users; undefined for the whole tenant. */
  site: string | undefined;
}

/** The users of the tenant: searched, sorted and paged by the service; the view's state is in the address. */
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
        widths={columns.widths}
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
