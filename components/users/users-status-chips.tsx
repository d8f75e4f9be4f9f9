"use client";

import { type StatusChip, StatusChips } from "@/components/ui/status-chips";
import { ViewsMenu } from "@/components/views/views-menu";
import type { ListState } from "./list-state";

type Filter = Pick<ListState, "lock" | "state">;
type Status = "active" | "locked" | "invited" | "deactivated";

/** What each status is in the address. A lock comes first, as in the table. */
const filters: Record<Status, Filter> = {
  active: { state: "active", lock: "false" },
  locked: { state: "", lock: "true" },
  invited: { state: "invited", lock: "false" },
  deactivated: { state: "deactivated", lock: "false" },
};

const chips: StatusChip<Status>[] = [
  { value: "active", label: "Active", tone: "success" },
  { value: "locked", label: "Locked", tone: "danger" },
  { value: "invited", label: "Invited", tone: "accent" },
  { value: "deactivated", label: "Deactivated", tone: "neutral" },
];

interface UsersStatusChipsProps {
  state: ListState;
  onNarrow: (change: Filter) => void;
  /** The columns that are not shown. */
  hidden: readonly string[];
}

export function UsersStatusChips(props: UsersStatusChipsProps) {
  const { state, lock } = props.state;
  const chosen = chips.find(
    ({ value }) => filters[value].state === state && filters[value].lock === lock,
  );
  return (
    <StatusChips
      label="Status"
      chips={chips}
      value={chosen?.value ?? ""}
      end={<ViewsMenu page="users" columns={props.hidden} />}
      onChange={(status) => props.onNarrow(status ? filters[status] : { state: "", lock: "" })}
    />
  );
}
