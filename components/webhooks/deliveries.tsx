"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAddress } from "@/components/shell/address";
import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Select } from "@/components/ui/form/select";
import { ListResult } from "@/components/ui/table/list-result";
import { type StatusChip, StatusChips } from "@/components/ui/table/status-chips";
import { ViewsMenu } from "@/components/views/views-menu";
import { eventKinds } from "@/lib/features/events/values";
import { deliveryStates } from "@/lib/features/webhooks/values";
import { DeliveriesTable } from "./deliveries-table";
import { DeliveryDialog } from "./delivery-dialog";
import { deliveryNames, deliveryTones } from "./delivery-words";
import { type DeliveryFilters, deliveryFilters, useDeliveriesQuery } from "./webhook-queries";

/** What was sent to a webhook, and what waits. */
export function Deliveries({ id }: { id: string }) {
  const [filters, setFilters] = useAddress(deliveryFilters);
  const found = useInfiniteQuery(useDeliveriesQuery(id, filters));
  const [shown, setShown] = useState<string>();
  return (
    <Card
      title={t("Deliveries")}
      description={t("Each event of the last 30 days with its newest attempts.")}
      id="deliveries"
      flush
    >
      <Toolbar filters={filters} onChange={setFilters} />
      <ListResult
        found={found}
        failed={t("The deliveries could not be loaded")}
        more={t("Show older deliveries")}
        empty={
          <EmptyState
            title={t("No deliveries")}
            purpose={t("Events that match the webhook and the filters appear here within seconds.")}
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

const chips: StatusChip<string>[] = deliveryStates.map((value) => ({
  value,
  label: deliveryNames[value],
  tone: deliveryTones[value],
}));

interface ToolbarProps {
  filters: DeliveryFilters;
  onChange: (change: Partial<DeliveryFilters>) => void;
}

function Toolbar({ filters, onChange }: ToolbarProps) {
  return (
    <search>
      <StatusChips
        label={t("State")}
        chips={chips}
        value={filters.status}
        end={<ViewsMenu page="deliveries" />}
        onChange={(status) => onChange({ status })}
      />
      <div className="border-b border-border p-3 print:hidden">
        <Select
          aria-label={t("Events")}
          value={filters.type}
          onChange={(event) => onChange({ type: event.target.value })}
        >
          <option value="">{t("All events")}</option>
          {eventKinds.map((kind) => (
            <option key={kind}>{`${kind}.*`}</option>
          ))}
        </Select>
      </div>
    </search>
  );
}
