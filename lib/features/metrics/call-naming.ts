import type { CompletedRequest } from "@/lib/http/completed-request";
import { isSlug } from "@/lib/protocol/formats";
import { perProcess } from "@/lib/protocol/per-process";
import { domainOf } from "./dimensions";
import type { Call } from "./recorder";

/** Of paths that are no operation's, these first segments still say whose they were. */
const ownDomains: ReadonlySet<string> = new Set([
  "user",
  "customer",
  "pim",
  "api-metrics",
  "tenant",
  "audit",
  "access",
  "events",
  "requests",
]);
const unknownTemplates: ReadonlySet<string> = new Set(["/v1/{path}", "/pim/{path}"]);
const unknownEndpoint = "*";

interface NamedTemplate {
  domain: string;
  /** "METHOD /template" by method. */
  names: Map<string, string>;
}

const templates = perProcess("metrics-call-names", () => new Map<string, NamedTemplate>());

/** Created once per template, so that the path of a call joins no strings. */
function templateOf(template: string): NamedTemplate {
  const found = templates().get(template) ?? { domain: domainOf(template), names: new Map() };
  if (!templates().has(template)) templates().set(template, found);
  return found;
}

function nameOf({ names }: NamedTemplate, method: string, template: string): string {
  const found = names.get(method);
  if (found !== undefined) return found;
  const created = `${method} ${template}`;
  if (names.size < 100) names.set(method, created);
  return created;
}

function slugOf(request: Request, name: string): string {
  const value = request.headers.get(name)?.trim() ?? "";
  return value !== "" && isSlug(value) ? value : "";
}

function domainOfRequest(request: Request): string {
  const domain = domainOf(new URL(request.url).pathname);
  return ownDomains.has(domain) ? domain : "";
}

/** The call that a completed request was. Undefined for one that names no tenant, and for documents. */
export function callOf({
  request,
  context,
  method,
  template,
  status,
  durationMs: ms,
}: CompletedRequest): Call | undefined {
  const tenantId = slugOf(request, "x-service-tenant");
  if (tenantId === "") return undefined;
  const isKnown = template !== undefined && !unknownTemplates.has(template);
  if (isKnown && !template.startsWith("/v1/") && !template.startsWith("/pim/")) return undefined;
  const named = isKnown ? templateOf(template) : undefined;
  const domain = named ? named.domain : domainOfRequest(request);
  const endpoint =
    named && template !== undefined ? nameOf(named, method, template) : unknownEndpoint;
  return {
    tenantId,
    siteId: slugOf(request, "x-service-site"),
    domain,
    endpoint,
    method,
    status,
    caller: context.caller,
    ms,
  };
}
