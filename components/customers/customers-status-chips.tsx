"use client";

import { msg, t } from "@/components/texts/t";
import { type StatusChip, StatusChips } from "@/components/ui/table/status-chips";
import { ViewsMenu } from "@/components/views/views-menu";
import type { ListState } from "./list-state";

const chips: StatusChip<"true" | "false">[] = [
  { value: "false", label: msg("Active"), tone: "success" },
  { value: "true", label: msg("Locked"), tone: "danger" },
];

interface CustomersStatusChipsProps {
  lock: ListState["lock"];
  onChange: (lock: ListState["lock"]) => void;
}

export function CustomersStatusChips({ lock, onChange }: CustomersStatusChipsProps) {
  return (
    <StatusChips
      label={t("Status")}
      chips={chips}
      value={lock}
      onChange={onChange}
      end={<ViewsMenu page="customers" />}
    />
  );
}
