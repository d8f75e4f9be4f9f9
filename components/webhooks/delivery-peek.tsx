"use client";

import { t } from "@/components/texts/t";
import { Facts } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Instant } from "@/components/ui/instant";
import { PeekPanel } from "@/components/ui/table/peek-panel";
import type { WebhookDelivery } from "@/lib/features/destinations/webhooks/deliveries-contract";
import { DeliveryState, eventName, LastAttempt } from "./delivery-words";

interface DeliveryPeekProps {
  delivery: WebhookDelivery;
  onOpen: () => void;
  onClose: () => void;
}

/** The main facts of a delivery next to the list; its body and each attempt are in its dialog. */
export function DeliveryPeek({ delivery, onOpen, onClose }: DeliveryPeekProps) {
  return (
    <PeekPanel
      row={delivery.id}
      title={eventName(delivery)}
      status={<DeliveryState status={delivery.status} />}
      onOpen={onOpen}
      onClose={onClose}
    >
      <Facts facts={factsOf(delivery)} />
    </PeekPanel>
  );
}

function factsOf(delivery: WebhookDelivery) {
  const { id, subject, createdAt, nextAttemptAt, attempts } = delivery;
  const problem = attempts.at(-1)?.problem;
  return [
    { name: t("Subject"), value: <span className="break-all">{subject}</span> },
    { name: t("Created"), value: <Instant at={createdAt} form="full" /> },
    { name: t("Attempts"), value: <span className="figures">{attempts.length}</span> },
    { name: t("Last attempt"), value: <LastAttempt delivery={delivery} /> },
    ...(problem ? [{ name: t("Problem"), value: problem }] : []),
    ...(nextAttemptAt
      ? [{ name: t("Next attempt"), value: <Instant at={nextAttemptAt} form="full" /> }]
      : []),
    {
      name: t("Event id"),
      value: (
        <>
          <code className="break-all text-meta">{id}</code>
          <CopyButton text={id} label={t("Copy event id")} />
        </>
      ),
    },
  ];
}
