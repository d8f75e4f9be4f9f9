"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
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
  const router = useRouter();
  const path = usePathname();
  const asked = useSearchParams().get("show");
  const filter = isKeyFilter(asked) ? asked : "all";
  return (
    <>
      <PageHeader title="API keys" lead="Find expiring, unused and at-risk keys." />
      <div className="rounded-card border border-border bg-bg">
        <div className="border-b border-border p-3">
          <Segmented
            legend="Show"
            name="show"
            options={options}
            value={filter}
            onChange={(next) => router.replace(`${path}?show=${next}`, { scroll: false })}
          />
        </div>
        <ManagedKeys filter={filter} />
      </div>
    </>
  );
}
