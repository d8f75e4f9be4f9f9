"use client";

import { memo } from "react";
import { t } from "@/components/texts/t";
import { classNames } from "@/components/ui/class-names";
import { SelectOne } from "@/components/ui/table/select-cells";
import type { Selection } from "@/components/ui/table/selection";
import { Cell, Row } from "@/components/ui/table/table";
import type { User } from "@/lib/features/users/contract";
import {
  cardPlaces,
  columnLooks,
  columnName,
  priorityLooks,
  type UserColumn,
} from "./users-columns";

interface UsersRowsProps {
  users: User[];
  /** Those that are shown, in their order. */
  columns: UserColumn[];
  selection: Selection<User> | undefined;
}

/** Drawn again only for other users, columns or selected users: a keystroke in the search would else draw the old rows once more. */
export const UsersRows = memo(
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
