"use client";

import { t } from "@/components/texts/t";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { DataTable } from "@/components/ui/table/data-table";
import { RowPeek } from "@/components/ui/table/row-peek";
import { Cell, Head, Row } from "@/components/ui/table/table";
import type { WebhookDelivery } from "@/lib/features/webhooks/deliveries-contract";
import { DeliveryState, eventName, LastAttempt } from "./delivery-words";

const DeliveryPeek = lazyPart(() =>
  import("./delivery-peek").then((module) => module.DeliveryPeek),
);

const idOf = ({ id }: WebhookDelivery) => id;

interface DeliveriesTableProps {
  deliveries: WebhookDelivery[];
  onShow: (id: string) => void;
}

export function DeliveriesTable({ deliveries, onShow }: DeliveriesTableProps) {
  return (
    <RowPeek
      items={deliveries}
      idOf={idOf}
      peek={(delivery, onClose) => (
        <DeliveryPeek delivery={delivery} onOpen={() => onShow(delivery.id)} onClose={onClose} />
      )}
    >
      <DataTable label={t("Deliveries, newest first")} className="[--row:36px]">
        <Head
          names={[t("Event"), t("Subject"), t("State"), t("Last attempt"), t("Next attempt")]}
        />
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
