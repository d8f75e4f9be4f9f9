"use client";

import { plural, t } from "@/components/texts/t";
import { Select } from "@/components/ui/form/select";
import { Pager } from "@/components/ui/table/pager";
import { type ListState, pageSizes } from "./list-state";

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

export function UsersPager(props: UsersPagerProps) {
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
