import { z } from "zod";

/** The calls that an alert rule evaluates; without any of these all calls of the tenant. */
export const AlertFilter = z.object({
  site: z.string().optional(),
  domain: z.string().optional(),
  endpoint: z.string().optional(),
  apiKey: z.string().optional().meta({ description: "The id of an API key" }),
});

export type AlertFilter = z.infer<typeof AlertFilter>;

/** The values of a rule in its two windows; null where there was nothing to measure. */
export const AlertReading = z.object({
  value: z.number().nullable().meta({ description: "Of the window" }),
  shortValue: z.number().nullable().meta({ description: "Of the short window" }),
  calls: z.int().meta({ description: "In the window" }),
});

export type AlertReading = z.infer<typeof AlertReading>;
