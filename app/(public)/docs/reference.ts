import { z } from "zod";
import type { ListedOperation } from "@/components/docs/operation-list";
import type { OperationPage } from "@/components/docs/operation-reference";
import { type SchemaPart, schemaPart } from "@/components/docs/schema-fields";
import { slugOf } from "@/lib/catalogue/docs-address";
import { operations } from "@/lib/catalogue/operations";
import { bearerDeprecationNote } from "@/lib/protocol/deprecation";
import { type Endpoint, methodOf, pathOf } from "@/lib/protocol/endpoint";
import { publicUrl } from "@/lib/protocol/public-url";

const groupNames: Record<string, string> = {
  user: "Users, sessions and API keys",
  audit: "Audit",
  preview: "Previews",
  customer: "Shoppers",
  customers: "Customers, for staff",
  signup: "Sign-up",
  tenant: "Tenant and sites",
  tenants: "Tenants, for the platform's own users",
  events: "Events",
  access: "Access, explained",
  requests: "Rejected requests",
  "api-metrics": "API metrics",
};
const carriers = {
  session: "X-Service-Session-Id: $SESSION_ID",
  apiKey: "X-Service-API-Key: $SERVICE_API_KEY",
  bearer: "Authorization: Bearer $TOKEN",
  anonymous: "Authorization: Bearer $ANONYMOUS_TOKEN",
  customer: "Authorization: Bearer $ACCESS_TOKEN",
};
const credentialNames = {
  session: "session",
  apiKey: "API key",
  bearer: "management bearer",
  anonymous: "anonymous bearer token",
  customer: "logged-in bearer token",
};

/** Every operation, in groups by what it is about. */
export function operationGroups(): { name: string; operations: ListedOperation[] }[] {
  const groups = new Map<string, ListedOperation[]>();
  for (const declared of operations) {
    const area = pathOf(declared).split("/")[2] ?? "";
    const name = groupNames[area] ?? area;
    const { operation, summary, permission } = declared;
    groups.set(name, [
      ...(groups.get(name) ?? []),
      { operation, summary, permission, href: `/docs/${slugOf(declared)}` },
    ]);
  }
  return [...groups].map(([name, listed]) => ({ name, operations: listed }));
}

const partOf = (schema: z.ZodType | undefined, io: "input" | "output"): SchemaPart | undefined =>
  schema && schemaPart(z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" }));

function curlOf(declared: Endpoint, tenant: string): string {
  const method = methodOf(declared);
  const carrier = declared.credentials.includes("apiKey") ? "apiKey" : declared.credentials[0];
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${publicUrl()}${pathOf(declared)}'`,
    ...(declared.needsTenant ? [`-H 'X-Service-Tenant: ${tenant}'`] : []),
    ...(declared.needsSite ? ["-H 'X-Service-Site: {site}'"] : []),
    ...(carrier ? [`-H "${carriers[carrier]}"`] : []),
    ...(declared.body ? ["-H 'Content-Type: application/json'", "-d @body.json"] : []),
  ];
  return lines.join(" \\\n  ");
}

/** The operation with this slug, as its page shows it to somebody of that tenant. */
export function operationPage(slug: string, tenant: string): OperationPage | undefined {
  const declared = operations.find((one) => slugOf(one) === slug);
  if (!declared) return undefined;
  const { operation, summary, permission, status } = declared;
  return {
    operation,
    summary,
    permission,
    status,
    credentials: declared.credentials.map((one) =>
      one === declared.deprecatedCredential
        ? `${credentialNames[one]} (${bearerDeprecationNote})`
        : credentialNames[one],
    ),
    query: partOf(declared.query, "input"),
    body: partOf(declared.body, "input"),
    answer: partOf(declared.answer, "output"),
    curl: curlOf(declared, tenant),
  };
}
