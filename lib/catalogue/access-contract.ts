import { z } from "zod";
import { Explanation } from "@/lib/access/authorization";
import { endpoint, management } from "@/lib/protocol/endpoint";
import { InstantAnswer, Slug } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";
import { permissions } from "@/lib/protocol/permissions";

const Id = z.string().min(1).max(128);

export const Question = z
  .strictObject({
    userId: Id.optional(),
    apiKeyId: Id.optional(),
    operation: z
      .string()
      .max(256)
      .optional()
      .meta({ example: "PUT /pim/preview/{key}/configuration" }),
    permission: z.enum(permissions).optional().meta({
      description: "Instead of an operation: any permission, those of other services among them",
    }),
    site: Slug.optional(),
  })
  .refine(({ userId, apiKeyId }) => (userId === undefined) !== (apiKeyId === undefined), {
    path: ["userId"],
    message: "or /apiKeyId must be given, and not both",
  })
  .refine(({ operation, permission }) => (operation === undefined) !== (permission === undefined), {
    path: ["operation"],
    message: "or /permission must be given, and not both",
  });

export type Question = z.output<typeof Question>;

export const explainAccess = endpoint({
  example: {
    body: { userId: "user_01kb7q2v9xhm4e8s5t6w3y1zcd", operation: "GET /v1/user/list" },
  },
  operation: "POST /v1/access/explain",
  summary: "Tell whether a user or an API key may call an operation, or has a permission, and why",
  credentials: management,
  permission: "any-role",
  body: Question,
  answer: Explanation,
  codes: ["user.not-found", "api-key.not-found", "auth.permission-missing"],
});

export const LastUseQuery = z
  .strictObject({ userId: Id.optional(), apiKeyId: Id.optional() })
  .refine(({ userId, apiKeyId }) => (userId === undefined) !== (apiKeyId === undefined), {
    path: ["userId"],
    message: "or ?apiKeyId must be given, and not both",
  });

export type LastUseQuery = z.output<typeof LastUseQuery>;

const siteOrTenant = z.string().nullable().meta({ description: "null: the whole tenant" });

export const LastUse = z.object({
  from: InstantAnswer.meta({ description: "90 days ago" }),
  since: InstantAnswer.nullable().meta({
    description: "Since when use is known: from, or later; null: no call was counted",
  }),
  isComplete: z.boolean().meta({ description: "false: some calls were counted without a caller" }),
  uses: z
    .array(
      z.object({
        permission: z.string(),
        site: siteOrTenant,
        lastUsedAt: InstantAnswer.meta({ description: "To the day" }),
        includedIn: z.array(z.string()).meta({ description: "Permissions that include it" }),
      }),
    )
    .meta({ description: "The newest calls" }),
  uncounted: z.array(z.string()).meta({ description: "Permissions for other services" }),
  grants: z
    .array(z.object({ role: z.string(), site: siteOrTenant, at: InstantAnswer }))
    .meta({ description: "Roles that the owner was granted since from" }),
});

export type LastUse = z.infer<typeof LastUse>;

export const getLastUse = endpoint({
  example: { query: { userId: "user_01kb7q2v9xhm4e8s5t6w3y1zcd" } },
  operation: "GET /v1/access/last-use",
  summary: "When a user or an API key used its permissions last",
  credentials: management,
  permission: "any-role",
  query: LastUseQuery,
  answer: LastUse,
  codes: ["user.not-found", "api-key.not-found", "auth.permission-missing"],
});

export const HoldersQuery = z.strictObject({
  permission: z.enum(permissions),
  site: Slug.optional().meta({ description: "Also those who hold it at this site alone" }),
  ...pageQuery,
});

export const Holder = z.object({
  id: z.string(),
  login: z.string(),
  name: z.string(),
  lock: z.boolean(),
  roles: z.array(z.object({ role: z.string(), site: z.string().optional() })),
});

export type Holder = z.infer<typeof Holder>;

export const listHolders = endpoint({
  operation: "GET /v1/access/holders",
  summary: "List who holds a permission, by login, with the roles that give it",
  credentials: management,
  permission: "user.read",
  query: HoldersQuery,
  answer: z.array(Holder),
});
