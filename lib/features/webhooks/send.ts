import type { Attempt } from "@/lib/features/delivery/attempt";
import { type Destination, send } from "@/lib/features/delivery/send";
import { type SigningSecrets, signatureHeaders } from "@/lib/features/delivery/signature";

export interface Endpoint extends Destination {
  secrets: SigningSecrets;
}

interface EventText {
  eventId: string;
  body: string;
}

/** Sends an event once, signed as Standard Webhooks are. Never throws. */
export const sendEvent = (to: Endpoint, { eventId, body }: EventText): Promise<Attempt> =>
  send(to, {
    method: "POST",
    headers: {
      ...signatureHeaders(to.secrets, eventId, new Date(), body),
      "content-type": "application/cloudevents+json; charset=utf-8",
      "user-agent": "Gatehouse-Webhooks/1",
    },
    body,
  });
