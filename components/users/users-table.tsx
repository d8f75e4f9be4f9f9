"use client";

import { type Header, useTable } from "@tanstack/react-table";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo } from "react";
import { usePortal } from "@/components/shell/portal";
import { withSite } from "@/components/shell/site";
import { DataTable } from "@/components/ui/data-table";
import { HeadCell } from "@/components/ui/table";
import type { User } from "@/lib/features/users/contract";
import { userSorts } from "@/lib/features/users/values";
import type { ListState } from "./list-state";
import { SelectAll } from "./select-cells";
import type { Selection } from "./selection";
import { columnNames, usersColumns, usersFeatures } from "./users-columns";
import { UsersRows } from "./users-rows";

interface UsersTableProps {
  users: User[];
  state: ListState;
  onSort: (sort: ListState["sort"]) => void;
  hidden: string[];
  roleNames: Record<string, string>;
  selection: Selection | undefined;
}

export function UsersTable({
  users,
  state,
  onSort,
  hidden,
  roleNames,
  selection,
}: UsersTableProps) {
  const { view } = usePortal();
  const { site, sort } = state;
  const columns = useMemo(
    () =>
      usersColumns(view.tenant, roleNames, (user) =>
        withSite(`/t/${view.tenant}/users/${user.id}`, site),
      ),
    [view.tenant, roleNames, site],
  );
  const table = useTable({
    features: usersFeatures,
    columns,
    data: users,
    getRowId: (user) => user.id,
  });
  return (
    <DataTable label="Users" className="[--row:36px]">
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {selection ? <SelectAll users={users} selection={selection} /> : null}
            {group.headers
              .filter(({ column }) => !hidden.includes(column.id))
              .map((header) => (
                <UsersHead key={header.id} header={header} sort={sort} onSort={onSort} />
              ))}
          </tr>
        ))}
      </thead>
      <UsersRows
        users={users}
        columns={columns}
        hidden={hidden.join()}
        selection={selection}
        rows={table.getRowModel().rows}
      />
    </DataTable>
  );
}

interface UsersHeadProps {
  header: Header<typeof usersFeatures, User>;
  sort: ListState["sort"];
  onSort: UsersTableProps["onSort"];
}

function UsersHead({ header: { column }, sort, onSort }: UsersHeadProps) {
  const name = columnNames[column.id] ?? column.id;
  const field = userSorts.find((one) => one === column.id);
  if (!field) return <HeadCell>{name}</HeadCell>;
  const sorted = sort === field ? "asc" : sort === `-${field}` ? "desc" : undefined;
  const Arrow = sorted === "desc" ? ArrowDown : ArrowUp;
  return (
    <HeadCell
      aria-sort={sorted === "asc" ? "ascending" : sorted === "desc" ? "descending" : "none"}
    >
      <button
        type="button"
        className="inline-flex h-6 items-center gap-1 rounded-[3px] hover:text-text"
        onClick={() => onSort(`${sorted === "asc" ? "-" : ""}${column.id}` as ListState["sort"])}
      >
        {name}
        <Arrow aria-hidden="true" className={`size-3 ${sorted ? "" : "invisible"}`} />
      </button>
    </HeadCell>
  );
}
