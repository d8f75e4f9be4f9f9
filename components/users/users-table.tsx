"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { memo, useCallback, useDeferredValue, useMemo } from "react";
import { usePortal } from "@/components/shell/portal";
import { withSite } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { classNames } from "@/components/ui/class-names";
import { lazyPart } from "@/components/ui/lazy-part";
import { TableOfRecords } from "@/components/ui/table/data-table";
import { RowPeek } from "@/components/ui/table/row-peek";
import { SelectAll, SelectOne } from "@/components/ui/table/select-cells";
import type { Selection } from "@/components/ui/table/selection";
import { Cell, HeadCell, Row } from "@/components/ui/table/table";
import { WidthHandle } from "@/components/ui/table/width-handle";
import type { ColumnWidths } from "@/components/ui/table/widths";
import type { User } from "@/lib/features/users/contract";
import { userSorts } from "@/lib/features/users/values";
import type { ListState } from "./list-state";
import {
  cardPlaces,
  columnLooks,
  columnName,
  priorityLooks,
  type UserColumn,
  usersColumns,
} from "./users-columns";

interface UsersRowsProps {
  users: User[];
  /** The shown columns, in their order. */
  columns: UserColumn[];
  selection: Selection<User> | undefined;
}

/** Rendered again only for other users, columns or selections: otherwise a keystroke in the search would render the old rows again. */
const UsersRows = memo(
  ({ users, columns, selection }: UsersRowsProps) => (
    <tbody>
      {users.map((user) => (
        <Row key={user.id} className="relative">
          {selection ? (
            <SelectOne
              item={user}
              selection={selection}
              label={t("Select {name}, {login}", { name: user.name, login: user.login })}
            />
          ) : null}
          {columns.map(({ id, cell }) => (
            <Cell
              key={id}
              card={cardPlaces[id]}
              label={columnName(id)}
              className={classNames(columnLooks[id] ?? "text-muted", priorityLooks[id])}
            >
              {cell(user)}
            </Cell>
          ))}
        </Row>
      ))}
    </tbody>
  ),
  (before, after) =>
    before.users === after.users &&
    before.columns === after.columns &&
    before.selection?.chosen === after.selection?.chosen,
);

const UserPeek = lazyPart(() => import("./user-peek").then((module) => module.UserPeek));

interface UsersTableProps {
  users: User[];
  state: ListState;
  onSort: (sort: ListState["sort"]) => void;
  /** The ids of the columns that are shown, in their order, as one text. */
  shown: string;
  widths: ColumnWidths;
  roleNames: Record<string, string>;
  selection: Selection<User> | undefined;
}

const idOf = ({ id }: User) => id;

export function UsersTable(props: UsersTableProps) {
  const { users, state, onSort, shown, widths, roleNames, selection } = props;
  const { view } = usePortal();
  const { site, sort } = state;
  const hrefOf = useCallback(
    (user: User) => withSite(`/t/${view.tenant}/users/${user.id}`, site),
    [view.tenant, site],
  );
  // Rows render slowly: input updates first.
  const [drawn, drawnIds] = [useDeferredValue(users), useDeferredValue(shown)];
  const columns = useMemo(() => {
    const all = usersColumns(view.tenant, roleNames, hrefOf);
    return drawnIds.split(",").flatMap((id) => all.filter((one) => one.id === id));
  }, [view.tenant, roleNames, hrefOf, drawnIds]);
  return (
    <RowPeek
      items={users}
      idOf={idOf}
      peek={(user, onClose) => (
        <UserPeek user={user} href={hrefOf(user)} roleNames={roleNames} onClose={onClose} />
      )}
    >
      <TableOfRecords
        label={t("Users")}
        className="[--row:36px]"
        widths={{ ...widths, ids: columns.map(({ id }) => id) }}
        cellsBefore={selection ? 1 : 0}
      >
        <thead>
          <tr>
            {selection ? (
              <SelectAll
                shown={users}
                selection={selection}
                label={t("Select all users on this page")}
              />
            ) : null}
            {columns.map(({ id }, at) => (
              <UsersHead key={id} {...{ id, sort, onSort }} isLast={at === columns.length - 1} />
            ))}
          </tr>
        </thead>
        <UsersRows users={drawn} columns={columns} selection={selection} />
      </TableOfRecords>
    </RowPeek>
  );
}

interface UsersHeadProps {
  id: string;
  sort: ListState["sort"];
  onSort: UsersTableProps["onSort"];
  isLast: boolean;
}

function UsersHead({ id, sort, onSort, isLast }: UsersHeadProps) {
  const name = columnName(id);
  const field = userSorts.find((one) => one === id);
  const look = priorityLooks[id];
  const handle = isLast ? null : <WidthHandle id={id} name={name} />;
  if (!field)
    return (
      <HeadCell className={look}>
        {name}
        {handle}
      </HeadCell>
    );
  const sorted = sort === field ? "asc" : sort === `-${field}` ? "desc" : undefined;
  const Arrow = sorted === "desc" ? ArrowDown : ArrowUp;
  return (
    <HeadCell
      className={look}
      aria-sort={sorted === "asc" ? "ascending" : sorted === "desc" ? "descending" : "none"}
    >
      <button
        type="button"
        className="inline-flex h-6 items-center gap-1 rounded-[3px] hover:text-text"
        onClick={() => onSort(`${sorted === "asc" ? "-" : ""}${id}` as ListState["sort"])}
      >
        {name}
        <Arrow aria-hidden="true" className={`size-3 ${sorted ? "" : "invisible"}`} />
      </button>
      {handle}
    </HeadCell>
  );
}
