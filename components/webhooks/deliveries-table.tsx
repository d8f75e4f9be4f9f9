"use client";

import { t } from "@/components/texts/t";
import { DataTable } from "@/components/ui/data-table";
import { Instant } from "@/components/ui/instant";
import { Cell, HeadCell, Row } from "@/components/ui/table";
import type { WebhookDelivery } from "@/lib/features/webhooks/deliveries-contract";
import { DeliveryState } from "./webhook-state";

interface DeliveriesTableProps {
  deliveries: WebhookDelivery[];
  onShow: (id: string) => void;
}

export function DeliveriesTable({ deliveries, onShow }: DeliveriesTableProps) {
  return (
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
  );
}

function DeliveryRow({
  delivery,
  onShow,
}: Pick<DeliveriesTableProps, "onShow"> & { delivery: WebhookDelivery }) {
  const { id, type, subject, status, attempts, nextAttemptAt } = delivery;
  const last = attempts.at(-1);
  return (
    <Row>
      <Cell>
        <button
          type="button"
          onClick={() => onShow(id)}
          className="rounded-control font-medium underline decoration-border-strong underline-offset-4"
        >
          {type.replace(/^gatehouse\./, "")}
        </button>
      </Cell>
      <Cell className="max-w-64 truncate text-muted">{subject}</Cell>
      <Cell>
        <DeliveryState status={status} />
      </Cell>
      <Cell className="text-muted">
        {last ? (
          <>
            <Instant at={last.at} /> {last.status ?? t("no response")}
          </>
        ) : (
          t("none yet")
        )}
      </Cell>
      <Cell className="text-muted">{nextAttemptAt ? <Instant at={nextAttemptAt} /> : null}</Cell>
    </Row>
  );
}
