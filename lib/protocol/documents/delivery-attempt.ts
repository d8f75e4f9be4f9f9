import { z } from "zod";

/** One attempt to deliver an event. */
export const DeliveryAttempt = z.object({
  at: z.string().meta({ format: "date-time" }),
  durationMs: z.int(),
  status: z.int().optional().meta({ description: "Of the response, if there was one" }),
  contentType: z.string().optional().meta({ description: "Of the response" }),
  response: z.string().optional().meta({ description: "The beginning of the response body" }),
  problem: z.string().optional().meta({ description: "Why there was no response, or none of 2xx" }),
});

export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;
