"use client";

import { msg, t } from "@/components/texts/t";
import { type StatusChip, StatusChips } from "@/components/ui/table/status-chips";
import type { Columns } from "@/components/views/current-view";
import { ViewsMenu } from "@/components/views/views-menu";
import type { ListState } from "./list-state";

type Filter = Pick<ListState, "lock" | "state">;
type Status = "active" | "locked" | "invited" | "deactivated";

/** The filter of each status in the address. A lock comes first, as in the table. */
const filters: Record<Status, Filter> = {
  active: { state: "active", lock: "false" },
  locked: { state: "", lock: "true" },
  invited: { state: "invited", lock: "false" },
  deactivated: { state: "deactivated", lock: "false" },
};

const chips: StatusChip<Status>[] = [
  { value: "active", label: msg("Active"), tone: "success" },
  { value: "locked", label: msg("Locked"), tone: "danger" },
  { value: "invited", label: msg("Invited"), tone: "accent" },
  { value: "deactivated", label: msg("Deactivated"), tone: "neutral" },
];

interface UsersStatusChipsProps {
  state: ListState;
  onNarrow: (change: Filter) => void;
  columns: Columns;
}

export function UsersStatusChips(props: UsersStatusChipsProps) {
  const { state, lock } = props.state;
  const chosen = chips.find(
    ({ value }) => filters[value].state === state && filters[value].lock === lock,
  );
  return (
    <StatusChips
      label={t("Status")}
      chips={chips}
      value={chosen?.value ?? ""}
      end={<ViewsMenu page="users" columns={props.columns} />}
      onChange={(status) => props.onNarrow(status ? filters[status] : { state: "", lock: "" })}
    />
  );
}
