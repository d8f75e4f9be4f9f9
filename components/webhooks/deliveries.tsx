"use client";

import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Attempts } from "@/components/destinations/attempts";
import { useAddress } from "@/components/shell/address";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { CallFailed } from "@/components/ui/error-notice";
import { Select } from "@/components/ui/form/field";
import { useAction } from "@/components/ui/form/use-action";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { Loaded } from "@/components/ui/loaded";
import { DataTable } from "@/components/ui/table/data-table";
import { ListResult } from "@/components/ui/table/list-result";
import { RowPeek } from "@/components/ui/table/row-peek";
import { type StatusChip, StatusChips } from "@/components/ui/table/status-chips";
import { Cell, Row } from "@/components/ui/table/table";
import { notify } from "@/components/ui/toast";
import { ViewsMenu } from "@/components/views/views-menu";
import { deliveryStates } from "@/lib/features/destinations/values";
import type { WebhookDelivery } from "@/lib/features/destinations/webhooks/deliveries-contract";
import { eventKinds } from "@/lib/features/events/values";
import {
  DeliveryState,
  deliveryNames,
  deliveryTones,
  eventName,
  LastAttempt,
} from "./delivery-words";
import { webhookKeys } from "./query-keys";
import {
  type DeliveryFilters,
  deliveryFilters,
  useDeliveriesQuery,
  useDeliveryQuery,
} from "./webhook-queries";

interface DeliveryDialogProps {
  id: string;
  deliveryId: string;
  onClose: () => void;
}

/** A delivery: the body as sent, each attempt, and a button to resend it. */
function DeliveryDialog({ id, deliveryId, onClose }: DeliveryDialogProps) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const found = useQuery(useDeliveryQuery(id, deliveryId));
  const { busy, error, run } = useAction(async () => {
    const params = { id, deliveryId };
    await call("POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver", { params });
    void notify(t("The event is sent again"));
    await queries.invalidateQueries({ queryKey: webhookKeys.all(view.tenant) });
    onClose();
  });
  return (
    <Dialog open onOpenChange={onClose} title={t("Delivery")} description={deliveryId} wide>
      <Loaded found={found} failed={t("The delivery could not be loaded")} skeleton="h-64">
        {(delivery) => (
          <div className="flex flex-col gap-4">
            <p className="flex flex-wrap items-center gap-2">
              <code>{delivery.type}</code>
              <DeliveryState status={delivery.status} />
            </p>
            <CodeBlock code={delivery.body} label={t("the body")} />
            <Attempts attempts={delivery.attempts} />
          </div>
        )}
      </Loaded>
      {error ? <CallFailed title={t("The event was not sent again")} error={error} /> : null}
      <DialogActions>
        <Button onClick={onClose}>{t("Close")}</Button>
        <Button tone="primary" busy={busy} onClick={() => void run()}>
          {t("Redeliver")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const DeliveryPeek = lazyPart(() =>
  import("./delivery-peek").then((module) => module.DeliveryPeek),
);

const idOf = ({ id }: WebhookDelivery) => id;

interface DeliveriesTableProps {
  deliveries: WebhookDelivery[];
  onShow: (id: string) => void;
}

function DeliveriesTable({ deliveries, onShow }: DeliveriesTableProps) {
  return (
    <RowPeek
      items={deliveries}
      idOf={idOf}
      peek={(delivery, onClose) => (
        <DeliveryPeek delivery={delivery} onOpen={() => onShow(delivery.id)} onClose={onClose} />
      )}
    >
      <DataTable
        label={t("Deliveries, newest first")}
        className="[--row:36px]"
        name="deliveries"
        heads={[t("Event"), t("Subject"), t("State"), t("Last attempt"), t("Next attempt")]}
      >
        <tbody>
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} onShow={onShow} />
          ))}
        </tbody>
      </DataTable>
    </RowPeek>
  );
}

function DeliveryRow({
  delivery,
  onShow,
}: Pick<DeliveriesTableProps, "onShow"> & { delivery: WebhookDelivery }) {
  const { id, subject, status, nextAttemptAt } = delivery;
  return (
    <Row>
      <Cell>
        <button
          type="button"
          data-row={id}
          onClick={() => onShow(id)}
          className="rounded-control font-medium underline decoration-border-strong underline-offset-4"
        >
          {eventName(delivery)}
        </button>
      </Cell>
      <Cell className="max-w-64 truncate text-muted">{subject}</Cell>
      <Cell card="end">
        <DeliveryState status={status} />
      </Cell>
      <Cell className="text-muted" label={t("Last attempt")}>
        <LastAttempt delivery={delivery} />
      </Cell>
      <Cell className="text-muted" label={nextAttemptAt ? t("Next attempt") : undefined}>
        {nextAttemptAt ? <Instant at={nextAttemptAt} /> : null}
      </Cell>
    </Row>
  );
}

/** The sent and pending deliveries of a webhook. */
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
