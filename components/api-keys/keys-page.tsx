"use client";

import { useAddress } from "@/components/shell/address";
import { PageHeader } from "@/components/ui/page-header";
import { Segmented } from "@/components/ui/segmented";
import { ManagedKeys } from "./managed-keys";
import { isKeyFilter, type KeyFilter, keyFilters } from "./managed-keys-query";

const options = Object.entries(keyFilters).map(([value, { label }]) => ({
  value: value as KeyFilter,
  label,
}));

/** Every key of the tenant; the filter lives in the address. */
export function KeysPage() {
  const [{ show }, setAddress] = useAddress(["show"]);
  const filter = isKeyFilter(show) ? show : "all";
  return (
    <>
      <PageHeader wide title="API keys" lead="Find expiring, unused and at-risk keys." />
      <div className="rounded-card border border-border bg-bg">
        <div className="border-b border-border p-3">
          <Segmented
            legend="Show"
            name="show"
            options={options}
            value={filter}
            onChange={(next) => setAddress({ show: next })}
          />
        </div>
        <ManagedKeys filter={filter} />
      </div>
    </>
  );
}
