import { z } from "zod";

/** The result of one line of an import: the customer, or the error. */
export const ImportResult = z.object({
  line: z.int().meta({ description: "Counted from 1, empty lines too" }),
  id: z.string().optional().meta({ description: "The customer that was created" }),
  code: z.string().optional().meta({ description: "The error code of a line that failed" }),
  pointer: z.string().optional().meta({ description: "JSON Pointer into the line" }),
  detail: z.string().optional(),
});

export type ImportResult = z.infer<typeof ImportResult>;
