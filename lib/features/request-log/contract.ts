import { z } from "zod";
import { Explanation } from "@/lib/access/authorization";
import { automation, endpoint } from "@/lib/protocol/endpoint";
import { Instant, InstantAnswer, searchText } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";

/** The outcomes by which logged requests are filtered. */
const requestOutcomes = ["failed", "client-error", "server-error", "succeeded"] as const;

export type RequestOutcome = (typeof requestOutcomes)[number];

/** The processing steps of a request, in order. */
export const stepNames = [
  "frame",
  "path",
  "method",
  "credential",
  "site",
  "role",
  "format",
  "input",
  "resource",
  "precondition",
  "state",
  "server",
] as const;

export type StepName = (typeof stepNames)[number];

export const RefusedRequest = z.object({
  id: z.string(),
  requestId: z
    .string()
    .meta({ description: "The caller's X-Service-Request-Id, or the one it was given" }),
  occurredAt: InstantAnswer,
  method: z.string(),
  path: z.string(),
  operation: z.string().optional(),
  status: z.int(),
  code: z.string().meta({ description: "Empty where the request succeeded" }),
  title: z.string().meta({ description: "What the code means, as its page in the reference says" }),
  reason: z.string().optional(),
  site: z.string().optional(),
  caller: z
    .object({
      kind: z.enum(["session", "apiKey", "bearer", "anonymous", "customer"]),
      userId: z.string(),
      credentialId: z.string(),
      login: z.string().meta({ description: "Of the user, as it is today" }),
      keyName: z.string().meta({ description: "Of the API key, as it is today" }),
    })
    .partial({ userId: true, credentialId: true, login: true, keyName: true })
    .optional()
    .meta({ description: "Absent where no credential was found right" }),
  address: z.string(),
  agent: z.string(),
  durationMs: z.int(),
});

export type RefusedRequest = z.infer<typeof RefusedRequest>;

export const Step = z.object({
  step: z.enum(stepNames),
  outcome: z.enum(["passed", "failed", "not-reached"]),
});

export const RefusedRequestDetails = z.object({
  ...RefusedRequest.shape,
  remedy: z.string(),
  steps: z.array(Step),
  now: Explanation.optional().meta({
    description: "What the same caller would be answered today, where the caller is known",
  }),
});

export type RefusedRequestDetails = z.infer<typeof RefusedRequestDetails>;

const Text = searchText(128).optional();

export const RequestsQuery = z.strictObject({
  requestId: Text,
  code: Text,
  userId: Text.meta({ description: "As user" }),
  apiKey: Text.meta({ description: "The id of an API key" }),
  user: Text.meta({ description: "The id of a user" }),
  operation: z
    .string()
    .max(256)
    .regex(/^(GET|POST|PUT|PATCH|DELETE) \/\S*$/, { message: "must be METHOD /path" })
    .optional()
    .meta({ description: "METHOD /path as the reference has it", example: "GET /v1/user/list" }),
  outcome: z.enum(requestOutcomes).optional().meta({
    description:
      "failed: 400 and above. client-error: 4xx. server-error: 5xx. succeeded: below 400",
  }),
  address: searchText(45).optional().meta({ description: "Where requests came from" }),
  site: searchText(63).optional().meta({ description: "The site that requests named" }),
  status: z
    .string()
    .regex(/^[2-5]\d\d$/, { message: "must be a status from 200 to 599" })
    .transform(Number)
    .optional()
    .meta({ type: "integer" }),
  from: Instant.optional(),
  to: Instant.optional(),
  ...pageQuery,
});

const common = { ...automation, permission: "audit.read", isTenantWide: true } as const;

export const listRequests = endpoint({
  operation: "GET /v1/requests",
  summary:
    "List the requests of the last seven days that failed, and a sample of those that succeeded, newest first",
  description:
    "Lists the requests of the last seven days that failed, and one that succeeded for each credential, operation, status and minute, newest first. Appears within seconds; older ones go where a tenant has very many.",
  ...common,
  query: RequestsQuery,
  answer: z.array(RefusedRequest),
});

export const getRequest = endpoint({
  operation: "GET /v1/requests/{id}",
  summary: "Show a request of the log, step by step, and whether it would be allowed today",
  ...common,
  answer: RefusedRequestDetails,
  codes: ["refusal.not-found"],
  conditional: "tag",
});
