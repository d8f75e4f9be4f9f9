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

/** PEM of the CAs accepted for the receiver's certificate, instead of the public ones. */
const ca = z.string().optional();

/** The destination of an audit stream, by kind, without secrets. */
export const StreamSettings = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("https"), url: z.string(), ca }),
  z.object({ kind: z.literal("syslog"), host: z.string(), port: z.int().default(6514), ca }),
  z.object({
    ...{ kind: z.literal("s3"), url: z.string(), region: z.string(), bucket: z.string() },
    ...{ prefix: z.string().default(""), accessKeyId: z.string(), ca },
    /** Seconds. */
    every: z.int().default(60),
  }),
  z.object({ kind: z.literal("file"), folder: z.string() }),
]);

export type StreamSettings = z.infer<typeof StreamSettings>;

/** One attempt to deliver the entries from `first` to `last`. */
export const StreamAttempt = DeliveryAttempt.extend({
  first: z.int().meta({ description: "The number of the first entry" }),
  last: z.int(),
});

export type StreamAttempt = z.infer<typeof StreamAttempt>;

/** Entries that expired before they were delivered. */
export const StreamGap = z.object({ first: z.int(), last: z.int(), at: z.string() });

export type StreamGap = z.infer<typeof StreamGap>;
