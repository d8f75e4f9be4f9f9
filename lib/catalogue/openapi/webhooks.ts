import { eventTypes, typePrefix } from "@/lib/features/events/catalogue";
import { CloudEvent } from "@/lib/features/events/contract";
import type { Json, SchemaWriter } from "./schema-writer";
import { tagOf } from "./tags";

const description =
  "The event as CloudEvents 1.0 has it, with ids and names of fields and without values, but for the numbers of alerts. The same event may be delivered more than once, under the same id.";

const delivery = (schema: Json): Json => ({
  post: {
    operationId: "receiveEvent",
    summary: "Receive an event",
    description,
    tags: [tagOf({ operation: "POST /v1/events" })],
    security: [],
    requestBody: {
      required: true,
      description,
      content: { "application/cloudevents+json": { schema } },
    },
    responses: { "2XX": { description: "The event was received." } },
  },
});

/** What is sent to subscribers: every type of event, all in one form. */
export function webhooks(writer: SchemaWriter): { webhooks: Json; pathItems: Json } {
  const entries = eventTypes.map(({ type, description }): [string, Json] => [
    `${typePrefix}${type}`,
    { $ref: "#/components/pathItems/EventDelivery", description },
  ]);
  return {
    webhooks: Object.fromEntries(entries),
    pathItems: { EventDelivery: delivery(writer.write(CloudEvent, "output")) },
  };
}
