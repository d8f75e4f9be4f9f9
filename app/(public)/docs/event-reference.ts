import { z } from "zod";
import { schemaPart } from "@/components/docs/schema-fields";
import { eventTypes } from "@/lib/features/events/catalogue";
import { CloudEvent, exampleOf } from "@/lib/features/events/contract";

/** Every type of event with an example, and the fields that all events have. */
export function eventReference() {
  return {
    schema: schemaPart(z.toJSONSchema(CloudEvent, { io: "output", reused: "inline" })),
    events: eventTypes.map((one) => ({
      type: one.type,
      description: one.description,
      example: JSON.stringify(exampleOf(one), null, 2),
    })),
  };
}
