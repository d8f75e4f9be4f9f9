import { isIP } from "node:net";
import { z } from "zod";
import { endpoint } from "@/lib/protocol/endpoint";
import { boundedText, Instant, InstantAnswer, listOf, Slug } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";
import { permissions } from "@/lib/protocol/permissions";
import { positionPattern } from "./feed-position";
import { codes, maxCredentials, maxUses, maxUsesInAdvance } from "./values";

const Address = boundedText(45)
  .refine((text) => isIP(text) !== 0, { message: "must be an IPv4 or IPv6 address" })
  .meta({
    description: "Where the credential was presented from; keys with allowed addresses need it",
  });

/** One credential of any kind, and the purpose of the check. */
const PresentedCredential = z
  .strictObject({
    apiKey: boundedText(256).optional(),
    sessionId: boundedText(256).optional(),
    token: boundedText(4096).optional().meta({
      description: "A management bearer or the access token of a customer",
    }),
    permission: z.enum(permissions).optional(),
    site: Slug.optional(),
    address: Address.optional(),
    uses: z.int().min(1).max(maxUsesInAdvance).optional().meta({
      description:
        "Sent by a verifier that enforces the limits of keys itself: how many uses of a key with a rate limit to take in advance",
    }),
  })
  .refine(
    ({ apiKey, sessionId, token }) =>
      [apiKey, sessionId, token].filter((one) => one !== undefined).length === 1,
    { path: ["apiKey"], message: "or /sessionId or /token must be given, and one of them alone" },
  );

export type PresentedCredential = z.output<typeof PresentedCredential>;

export const Verdict = z.object({
  active: z.boolean(),
  code: z.enum(codes).meta({ description: "VALID, or why the credential does not work" }),
  kind: z.enum(["apiKey", "session", "bearer", "customer"]).optional(),
  credentialId: z.string().optional().meta({
    description: "The id of the key, session or sign-in: what /v1/access/revocations names",
  }),
  subject: z.string().optional().meta({ description: "The id of the user or customer" }),
  login: z.string().optional(),
  permissions: z.array(z.string()).optional().meta({
    description:
      "What it allows at the site that was asked about; without one only what it allows in the whole tenant",
  }),
  sites: z
    .array(z.string())
    .optional()
    .meta({ description: "The sites at which it allows anything" }),
  expiresAt: InstantAnswer.optional(),
  authenticatedAt: InstantAnswer.optional().meta({
    description:
      "Of a session and its bearers: when the password or a second factor was checked last",
  }),
  authenticatedBy: z.array(z.string()).optional().meta({
    description: "Of a session and its bearers: how the person was authenticated then",
  }),
  rateLimit: z
    .object({
      limit: z.int(),
      window: z.string(),
      granted: z.int().optional().meta({
        description: "Where uses was sent: how many of them were taken, this one included",
      }),
      resetMs: z.int().optional().meta({
        description: "Where uses was sent: milliseconds until the next window begins",
      }),
    })
    .optional()
    .meta({ description: "The key's own limit: this verification was counted" }),
  allowedAddresses: z.array(z.string()).optional(),
  cacheFor: z.int().meta({
    description:
      "Seconds for which the answer may be reused by a caller that polls /v1/access/revocations at least once a second; 0: ask again each time",
  }),
});

export type Verdict = z.infer<typeof Verdict>;

const verification = {
  credentials: ["apiKey"],
  permission: "credential.verify",
  isTenantWide: true,
  limits: { own: "verification" },
} as const;

export const verifyCredentials = endpoint({
  example: { body: { credentials: [{ apiKey: "svk_4Wq...", permission: "order.manage" }] } },
  operation: "POST /v1/access/verify",
  summary: "Tell whether credentials of the tenant are valid, whose they are and what they allow",
  ...verification,
  replay: { isSafe: true },
  // The size of a hundred of the longest tokens.
  limits: {
    body: 512 * 1024,
    ...verification.limits,
    items: { member: "credentials", max: maxCredentials },
  },
  body: z.strictObject({ credentials: listOf(PresentedCredential, maxCredentials, 1) }),
  answer: z.array(Verdict),
});

export const introspectToken = endpoint({
  example: { body: { token: "svk_4Wq..." } },
  operation: "POST /v1/access/introspect",
  summary: "Tell whether a credential of the tenant is active (RFC 7662)",
  ...verification,
  limits: { ...verification.limits, body: 16 * 1024 },
  replay: { isSafe: true },
  consumes: "application/x-www-form-urlencoded",
  body: z.strictObject({
    token: boundedText(4096).meta({
      description: "An API key, a session id, a management bearer or a customer's access token",
    }),
    token_type_hint: boundedText(64).optional().meta({ description: "Not needed, and ignored" }),
    address: Address.optional(),
    site: Slug.optional().meta({
      description: "Where the credential is wanted; without it the scope is of the whole tenant",
    }),
  }),
  answer: z.object({
    active: z.boolean(),
    scope: z.string().optional().meta({
      description:
        "Permissions, separated by spaces: those that hold in the whole tenant, and with site those that hold there alone, as order.manage@site",
    }),
    username: z.string().optional().meta({ description: "The login" }),
    token_type: z
      .enum(["ApiKey", "Session", "Bearer"])
      .optional()
      .meta({ description: "How the credential is presented" }),
    exp: z.int().optional().meta({ description: "Seconds since 1970" }),
    sub: z.string().optional().meta({ description: "The id of the user or customer" }),
    iss: z.string().optional().meta({ description: "The address of this installation" }),
    kind: Verdict.shape.kind,
    tenant: z.string().optional(),
  }),
});

export const RevocationsQuery = z.strictObject({
  after: z
    .string()
    .max(128)
    .regex(positionPattern, { message: "must be the id of an item, or what Link held" })
    .optional()
    .meta({
      description:
        "The id of the last item that was seen, or what Link held; without it the feed begins now",
    }),
  limit: pageQuery.limit,
});

export const Revocation = z.object({
  id: z.string(),
  subjectKind: z
    .enum(["apiKey", "session", "user", "customer", "family", "tenant"])
    .meta({ description: "What ended or changed" }),
  subjectId: z.string().meta({ description: "The id of what ended or changed" }),
  effect: z.enum(["ended", "changed"]).meta({
    description:
      "Drop every answer about the subject; what ended never works again. A change of the tenant concerns all answers",
  }),
  at: InstantAnswer,
});

export type Revocation = z.infer<typeof Revocation>;

export const listRevocations = endpoint({
  operation: "GET /v1/access/revocations",
  summary:
    "List which keys, sessions, users and customers ended or changed since an item, oldest first: a feed to be polled, an hour long",
  ...verification,
  query: RevocationsQuery,
  answer: z.array(Revocation),
});

const UsedCredential = z.strictObject({
  credentialId: boundedText(128).meta({ description: "As POST /v1/access/verify named it" }),
  kind: z.enum(["apiKey", "session", "bearer"]),
  count: z.int().min(1).max(1_000_000_000),
  lastUsedAt: Instant.meta({ description: "When it was last used: within the last day" }),
  address: Address.optional(),
  operation: z
    .string()
    .max(256)
    .regex(/^[A-Z]{1,16} [^\p{Cc}]+$/u, { message: "must be METHOD /path" })
    .optional()
    .meta({ description: "What it was used for: METHOD /path, with {variables}" }),
});

export const UsageReport = z.strictObject({
  batchId: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,100}$/, { message: "must be 1 to 100 letters, digits and .-_" })
    .meta({
      description: "Identifies the report: the same one is counted once",
      example: "orders-2026-11-22-000042",
    }),
  service: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, { message: "must be lower case letters, digits and -" })
    .meta({
      description: "Who verified: the domain of these calls in the metrics",
      example: "orders",
    }),
  uses: listOf(UsedCredential, maxUses, 1).meta({ description: "The credentials that were used." }),
});

export type UsageReport = z.output<typeof UsageReport>;

export const reportUsage = endpoint({
  operation: "POST /v1/access/usage",
  summary:
    "Report how often credentials were used at a service that reuses answers of POST /v1/access/verify",
  ...verification,
  // The size of a thousand uses with the longest names.
  limits: {
    body: 1024 * 1024,
    ...verification.limits,
    items: { member: "uses", max: maxUses },
    isOneAtATime: true,
  },
  body: UsageReport,
  status: 202,
  answer: z.object({
    batchId: z.string(),
    credentials: z.int().meta({ description: "How many of the credentials are known" }),
    uses: z.int().meta({ description: "How many uses of API keys the metrics have counted" }),
  }),
  codes: ["metrics.batch-id-reused", "quota.exceeded"],
});
