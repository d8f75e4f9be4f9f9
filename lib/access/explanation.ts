import { z } from "zod";

/** What speaks for it: a role and where it is held, or a sentence where no role is needed. */
export const Ground = z.object({
  detail: z.string(),
  role: z.string().optional(),
  site: z.string().optional(),
  permission: z.string().optional(),
});

export const Obstacle = z.object({
  code: z.string(),
  detail: z.string(),
  reason: z.string().optional(),
});

export const Explanation = z
  .object({
    allowed: z.boolean(),
    because: z.array(Ground),
    missing: z
      .array(z.string())
      .meta({ description: "Permissions that a role would have to give" }),
    blockedBy: z
      .array(Obstacle)
      .meta({ description: "What else stands in the way, by the code that a request would get" }),
  })
  .meta({ id: "Explanation" });

export type Explanation = z.infer<typeof Explanation>;
