"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAddress } from "@/components/shell/address";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { ListResult } from "@/components/ui/list-result";
import { Select } from "@/components/ui/select";
import { type StatusChip, StatusChips } from "@/components/ui/status-chips";
import type { deliveryStates } from "@/lib/features/webhooks/values";
import { DeliveriesTable } from "./deliveries-table";
import { DeliveryDialog } from "./delivery-dialog";
import { type DeliveryFilters, deliveryFilters, useDeliveriesQuery } from "./webhook-queries";
import { deliveryTones } from "./webhook-state";

const kinds = [
  ...["user", "session", "api-key", "tenant", "site", "preview", "customer", "webhook"],
  "audit-stream",
];

/** What was sent to a webhook, and what waits. */
export function Deliveries({ id }: { id: string }) {
  const [filters, setFilters] = useAddress(deliveryFilters);
  const found = useInfiniteQuery(useDeliveriesQuery(id, filters));
  const [shown, setShown] = useState<string>();
  return (
    <Card
      title="Deliveries"
      description="Each event of the last 30 days with its newest attempts."
      id="deliveries"
      flush
    >
      <Toolbar filters={filters} onChange={setFilters} />
      <ListResult
        found={found}
        failed="The deliveries could not be loaded"
        more="Show older deliveries"
        empty={
          <EmptyState
            title="No deliveries"
            purpose="Events that match the webhook and the filters appear here within seconds."
          />
        }
      >
        {(deliveries) => <DeliveriesTable deliveries={deliveries} onShow={setShown} />}
      </ListResult>
      {shown ? (
        <DeliveryDialog id={id} deliveryId={shown} onClose={() => setShown(undefined)} />
      ) : null}
    </Card>
  );
}

const labels: Record<(typeof deliveryStates)[number], string> = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
};

const chips: StatusChip<string>[] = Object.entries(labels).map(([value, label]) => ({
  value,
  label,
  tone: deliveryTones[value as keyof typeof labels],
}));

interface ToolbarProps {
  filters: DeliveryFilters;
  onChange: (change: Partial<DeliveryFilters>) => void;
}

function Toolbar({ filters, onChange }: ToolbarProps) {
  return (
    <search>
      <StatusChips
        label="State"
        chips={chips}
        value={filters.status}
        onChange={(status) => onChange({ status })}
      />
      <div className="border-b border-border p-3">
        <Select
          aria-label="Events"
          value={filters.type}
          onChange={(event) => onChange({ type: event.target.value })}
        >
          <option value="">All events</option>
          {kinds.map((kind) => (
            <option key={kind}>{`${kind}.*`}</option>
          ))}
        </Select>
      </div>
    </search>
  );
}
