"use client";

import { t } from "@/components/texts/t";
import { Cell, HeadCell } from "@/components/ui/table/table";
import type { User } from "@/lib/features/users/contract";
import type { Selection } from "./selection";

const look = "size-4 max-sm:size-6 align-middle accent-accent";

export function SelectAll({ users, selection }: { users: User[]; selection: Selection }) {
  const chosen = users.filter((user) => selection.users.has(user.id)).length;
  return (
    <HeadCell className="w-8">
      <input
        type="checkbox"
        className={look}
        aria-label={t("Select all users on this page")}
        checked={chosen > 0 && chosen === users.length}
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && chosen < users.length;
        }}
        onChange={selection.toggleAll}
      />
    </HeadCell>
  );
}

/** Lies above the link that covers the row. With Shift held it selects everything since the last one. */
export function SelectUser({ user, selection }: { user: User; selection: Selection }) {
  return (
    <Cell className="w-8">
      <input
        type="checkbox"
        className={`${look} relative z-1`}
        aria-label={t("Select {name}, {login}", { name: user.name, login: user.login })}
        checked={selection.users.has(user.id)}
        onChange={(event) =>
          selection.toggle(
            user,
            event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey,
          )
        }
      />
    </Cell>
  );
}
