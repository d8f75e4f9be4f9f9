import { z } from "zod";
import * as alerts from "@/lib/features/alerts/contract";
import * as apiKeys from "@/lib/features/api-keys/contract";
import * as keyHandOffs from "@/lib/features/api-keys/hand-offs/contract";
import * as keyManagement from "@/lib/features/api-keys/managing-contract";
import * as audit from "@/lib/features/audit/contract";
import * as connections from "@/lib/features/connections/contract";
import * as groupRoles from "@/lib/features/connections/group-contract";
import * as identities from "@/lib/features/connections/identity-contract";
import * as provisioning from "@/lib/features/connections/provisioning/contract";
import * as customers from "@/lib/features/customers/contract";
import * as customerImports from "@/lib/features/customers/imports/contract";
import * as customerManaging from "@/lib/features/customers/managing-contract";
import * as customerCare from "@/lib/features/customers/staff-contract";
import * as auditStreams from "@/lib/features/destinations/audit-streams/contract";
import * as webhooks from "@/lib/features/destinations/webhooks/contract";
import * as webhookDeliveries from "@/lib/features/destinations/webhooks/deliveries-contract";
import * as events from "@/lib/features/events/contract";
import * as metrics from "@/lib/features/metrics/contract";
import * as markers from "@/lib/features/metrics/markers/contract";
import * as notices from "@/lib/features/notices/contract";
import * as previewComments from "@/lib/features/previews/comments/contract";
import * as previews from "@/lib/features/previews/contract";
import * as previewReleases from "@/lib/features/previews/releases/contract";
import * as previewShares from "@/lib/features/previews/shares/contract";
import * as privacy from "@/lib/features/privacy/contract";
import * as quotas from "@/lib/features/quotas/contract";
import * as requests from "@/lib/features/request-log/contract";
import * as sessions from "@/lib/features/sessions/contract";
import * as secondFactors from "@/lib/features/sessions/second-factors/contract";
import * as passkeys from "@/lib/features/sessions/second-factors/passkey-contract";
import * as signInSteps from "@/lib/features/sessions/steps-contract";
import * as tenants from "@/lib/features/tenants/contract";
import * as securityPolicy from "@/lib/features/tenants/policy-contract";
import * as sites from "@/lib/features/tenants/sites-contract";
import * as accessRequests from "@/lib/features/users/access-requests-contract";
import * as userAdministration from "@/lib/features/users/administration-contract";
import * as users from "@/lib/features/users/contract";
import * as emergencyAdministrators from "@/lib/features/users/emergency-contract";
import * as passwordLinks from "@/lib/features/users/password-links-contract";
import * as verification from "@/lib/features/verification/contract";
import * as views from "@/lib/features/views/contract";
import type { Endpoint } from "@/lib/protocol/endpoint";
import { errorCodes } from "@/lib/protocol/error-codes";
import * as access from "./access-contract";

const contracts = [
  sessions,
  secondFactors,
  passkeys,
  signInSteps,
  apiKeys,
  keyManagement,
  keyHandOffs,
  users,
  userAdministration,
  accessRequests,
  passwordLinks,
  emergencyAdministrators,
  notices,
  privacy,
  tenants,
  sites,
  securityPolicy,
  connections,
  provisioning,
  groupRoles,
  identities,
  quotas,
  audit,
  auditStreams,
  events,
  webhooks,
  webhookDeliveries,
  access,
  verification,
  requests,
  previews,
  previewShares,
  previewComments,
  previewReleases,
  customers,
  customerCare,
  customerManaging,
  customerImports,
  metrics,
  alerts,
  markers,
  views,
];

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "operation" in value && "credentials" in value;

/** An operation with its contract's export name: `listUsers`. */
export interface NamedOperation {
  id: string;
  declared: Endpoint;
}

const exported = contracts.flatMap((contract) => Object.entries(contract));

export const namedOperations: NamedOperation[] = exported.flatMap(([id, declared]) =>
  isEndpoint(declared) ? [{ id, declared }] : [],
);

/** Every operation of the product, for OpenAPI, docs and the test that compares routes with declarations. */
export const operations: Endpoint[] = namedOperations.map(({ declared }) => declared);

/** A schema's export name, which OpenAPI uses; a query is described parameter by parameter. */
export const namedSchemas: ReadonlyMap<z.core.$ZodType, string> = new Map(
  exported.flatMap(([name, schema]): [z.core.$ZodType, string][] =>
    schema instanceof z.core.$ZodType && !name.endsWith("Query") ? [[schema, name]] : [],
  ),
);

/** "get-v1-user-list": an operation in a URL. */
export const slugOf = (declared: Pick<Endpoint, "operation">) =>
  declared.operation
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");

const isOperation = (text: string) => operations.some(({ operation }) => operation === text);

/** The page of an operation ("GET /v1/user/list") or of an error code ("user.locked"). */
export function findReference(text: string): string | undefined {
  if (isOperation(text)) return `/docs/${slugOf({ operation: text })}`;
  return Object.hasOwn(errorCodes, text) ? `/docs/errors/${text}` : undefined;
}
