"use client";

import { FlexRender, type Row as TableRow } from "@tanstack/react-table";
import { type KeyboardEvent, memo } from "react";
import { Cell, Row } from "@/components/ui/table";
import type { User } from "@/lib/features/users/contract";
import { SelectUser } from "./select-cells";
import type { Selection } from "./selection";
import type { usersColumns, usersFeatures } from "./users-columns";

interface UsersRowsProps {
  users: User[];
  columns: ReturnType<typeof usersColumns>;
  /** The columns that are not shown, as one text. */
  hidden: string;
  selection: Selection | undefined;
  rows: TableRow<typeof usersFeatures, User>[];
}

/** So that one long name does not push every other column off the screen. */
const cellLooks: Record<string, string> = {
  name: "max-w-44 truncate sm:max-w-64",
  login: "max-w-52 truncate text-muted",
  emailAddress: "max-w-64 truncate text-muted",
};

/** Arrow keys walk the rows; Enter opens the one in focus, as a link does by itself. */
function walkRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.findIndex((row) => row.matches(":focus"));
  const next = rows[at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Drawn anew only for other users, columns or selected users: a keystroke in the search would else draw the old rows once more. */
export const UsersRows = memo(
  ({ rows, hidden, selection }: UsersRowsProps) => (
    <tbody onKeyDown={walkRows}>
      {rows.map((row) => (
        <Row key={row.id} className="relative">
          {selection ? <SelectUser user={row.original} selection={selection} /> : null}
          {row
            .getAllCells()
            .filter(({ column }) => !hidden.split(",").includes(column.id))
            .map((cell) => (
              <Cell key={cell.id} className={cellLooks[cell.column.id] ?? "text-muted"}>
                <FlexRender cell={cell} />
              </Cell>
            ))}
        </Row>
      ))}
    </tbody>
  ),
  (before, after) =>
    before.users === after.users &&
    before.columns === after.columns &&
    before.hidden === after.hidden &&
    before.selection?.users === after.selection?.users,
);
