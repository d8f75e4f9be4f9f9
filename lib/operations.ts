import * as access from "@/lib/access/contract";
import type { Endpoint } from "@/lib/api/endpoint";
import * as apiKeys from "@/lib/api-keys/contract";
import * as keyManagement from "@/lib/api-keys/managing-contract";
import * as audit from "@/lib/audit/contract";
import * as customers from "@/lib/customers/contract";
import * as customerCare from "@/lib/customers/staff-contract";
import * as events from "@/lib/events/contract";
import * as metrics from "@/lib/metrics/contract";
import * as previews from "@/lib/previews/contract";
import * as requests from "@/lib/requests/contract";
import * as sessions from "@/lib/sessions/contract";
import * as tenants from "@/lib/tenants/contract";
import * as securityPolicy from "@/lib/tenants/policy-contract";
import * as sites from "@/lib/tenants/sites-contract";
import * as userAdministration from "@/lib/users/administration-contract";
import * as users from "@/lib/users/contract";
import * as preferences from "@/lib/users/preferences-contract";

const contracts = [
  sessions,
  apiKeys,
  keyManagement,
  users,
  userAdministration,
  preferences,
  tenants,
  sites,
  securityPolicy,
  audit,
  events,
  access,
  requests,
  previews,
  customers,
  customerCare,
  metrics,
];

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "operation" in value && "credentials" in value;

/** Every operation of the product, for OpenAPI, docs and the test that holds routes and declarations together. */
export const operations: Endpoint[] = contracts.flatMap((contract) => Object.values(contract).filter(isEndpoint));
