"use client";

import { useAddress } from "@/components/shell/address";
import { t } from "@/components/texts/t";
import type { BadgeTone } from "@/components/ui/badge";
import { PageHeader } from "@/components/ui/page-header";
import { type StatusChip, StatusChips } from "@/components/ui/table/status-chips";
import { ViewsMenu } from "@/components/views/views-menu";
import { type KeyFilter, keyFilters, readKeyFilter } from "./key-filters";
import { ManagedKeys } from "./managed-keys";

const tones: Partial<Record<KeyFilter, BadgeTone>> = {
  active: "success",
  expiring: "warning",
  idle: "warning",
  never: "warning",
  locked: "warning",
};

const chips: StatusChip<KeyFilter>[] = Object.entries(keyFilters)
  .map(([value, { label }]) => ({ value: value as KeyFilter, label }))
  .filter(({ value }) => value !== "all")
  .map((chip) => ({ ...chip, ...(tones[chip.value] && { tone: tones[chip.value] }) }));

/** Every key of the tenant; the filter lives in the address. */
export function KeysPage() {
  const [{ show }, setAddress] = useAddress(["show"]);
  const filter = readKeyFilter(show);
  return (
    <>
      <PageHeader wide title={t("API keys")} lead={t("Find expiring, unused and at-risk keys.")} />
      <div className="rounded-card border border-border bg-bg">
        <StatusChips
          label={t("Status")}
          chips={chips}
          value={filter}
          end={<ViewsMenu page="keys" />}
          onChange={(next) => setAddress({ show: next })}
        />
        <ManagedKeys filter={filter} />
      </div>
    </>
  );
}
