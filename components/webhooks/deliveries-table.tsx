"use client";

import { t } from "@/components/texts/t";
import { DataTable } from "@/components/ui/data-table";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { RowPeek } from "@/components/ui/row-peek";
import { Cell, HeadCell, Row } from "@/components/ui/table";
import type { WebhookDelivery } from "@/lib/features/webhooks/deliveries-contract";
import { eventName, LastAttempt } from "./delivery-words";
import { DeliveryState } from "./webhook-state";

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
        <thead>
          <tr>
            <HeadCell>{t("Event")}</HeadCell>
            <HeadCell>{t("Subject")}</HeadCell>
            <HeadCell>{t("State")}</HeadCell>
            <HeadCell>{t("Last attempt")}</HeadCell>
            <HeadCell>{t("Next attempt")}</HeadCell>
          </tr>
        </thead>
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
      <Cell>
        <DeliveryState status={status} />
      </Cell>
      <Cell className="text-muted">
        <LastAttempt delivery={delivery} />
      </Cell>
      <Cell className="text-muted">{nextAttemptAt ? <Instant at={nextAttemptAt} /> : null}</Cell>
    </Row>
  );
}
