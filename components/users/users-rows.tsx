"use client";

import { type KeyboardEvent, memo } from "react";
import { classNames } from "@/components/ui/class-names";
import { Cell, Row } from "@/components/ui/table";
import type { User } from "@/lib/features/users/contract";
import { SelectUser } from "./select-cells";
import type { Selection } from "./selection";
import { columnLooks, priorityLooks, type UserColumn } from "./users-columns";

interface UsersRowsProps {
  users: User[];
  columns: UserColumn[];
  /** The columns that are not shown, as one text. */
  hidden: string;
  selection: Selection | undefined;
}

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
  ({ users, columns, hidden, selection }: UsersRowsProps) => (
    <tbody onKeyDown={walkRows}>
      {users.map((user) => (
        <Row key={user.id} className="relative">
          {selection ? <SelectUser user={user} selection={selection} /> : null}
          {columns
            .filter(({ id }) => !hidden.split(",").includes(id))
            .map(({ id, cell }) => (
              <Cell
                key={id}
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
    before.hidden === after.hidden &&
    before.selection?.users === after.selection?.users,
);
