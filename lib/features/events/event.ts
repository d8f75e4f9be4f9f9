import type { AuditChanges, AuditTarget } from "@/lib/protocol/documents/audit-entry";
import { eventTypes, typePrefix, typesWithValues } from "./catalogue";
import type { CloudEvent } from "./contract";
import type { Choice, FeedRow } from "./rows";
import { customerTypes, type EventKind } from "./values";

/** The site that an audit entry is about; undefined for one about the tenant. */
function siteOf({ type, id, name }: AuditTarget, changes: AuditChanges): string | undefined {
  if (type === "site") return id;
  if (type === "alert") return textOf(changes.site?.after);
  return type === "preview" || type === "release" ? name?.split("/")[0] : undefined;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

type Fact = Omit<CloudEvent["data"], "requestId"> & { type: string; site: string | undefined };

function factOf(row: FeedRow): Fact {
  const { actor, target, changes, result, customerId, siteId, fields, action } = row;
  if (actor && target)
    return {
      type: action,
      site: siteOf(target, changes ?? {}),
      ...{ actor, target, changes: changes ?? {}, result: result ?? "success" },
    };
  const who = { type: "customer" as const, id: customerId ?? "" };
  return {
    type: customerTypes[action] ?? `customer.${action}`,
    site: siteId ?? undefined,
    ...{ actor: who, target: who, result: "success" },
    changes: Object.fromEntries((fields ?? []).map((field) => [field, {}])),
  };
}

/** A row of the feed as an event, without the IP address of the caller. */
export function eventOf(tenantId: string, row: FeedRow): CloudEvent {
  const { type, site, ...fact } = factOf(row);
  return {
    specversion: "1.0",
    id: row.id.replace(/^[a-z]+_/, "evt_"),
    source: `/tenants/${tenantId}`,
    type: `${typePrefix}${type}`,
    subject: `${fact.target.type}/${fact.target.id}`,
    time: row.at.toISOString(),
    datacontenttype: "application/json",
    ...(site === undefined ? {} : { site }),
    data: { ...fact, requestId: row.requestId },
  };
}

/** The event with only ids and field names: without logins, names and values, except the values of alerts, which are numbers. */
export function withoutValues(event: CloudEvent): CloudEvent {
  const { actor, target, changes, ...rest } = event.data;
  return {
    ...event,
    data: {
      actor: { type: actor.type, id: actor.id, ...(actor.keyId && { keyId: actor.keyId }) },
      target: { type: target.type, id: target.id },
      changes: typesWithValues.includes(event.type.slice(typePrefix.length))
        ? changes
        : Object.fromEntries(Object.keys(changes).map((field) => [field, {}])),
      ...rest,
    },
  };
}

/** `user.locked`, `user.*` or `*`; optionally with the prefix that event types have. */
export const patternText = /^(?:gatehouse\.)?(?:\*|[a-z-]+\.(?:\*|[a-z-]+))$/;

const withoutPrefix = (text: string) =>
  text.startsWith(typePrefix) ? text.slice(typePrefix.length) : text;

/** Whether an event's type matches a pattern; either may have the prefix. */
export function matchesType(pattern: string, type: string): boolean {
  const [wanted, given] = [withoutPrefix(pattern), withoutPrefix(type)];
  return wanted.endsWith("*") ? given.startsWith(wanted.slice(0, -1)) : given === wanted;
}

/** Whether any type of the catalogue matches the pattern. */
export const isKnownPattern = (pattern: string): boolean =>
  eventTypes.some(({ type }) => matchesType(pattern, type));

/** The kinds of subjects that belong to a site. */
const kindsOfSites: readonly EventKind[] = ["site", "alert", "preview", "release"];

/** The selection from both sources of the feed; undefined for all events. An event is selected if any of the patterns matches. */
export function choiceOf(
  types: string | readonly string[] | undefined,
  site: string | undefined,
): Choice | undefined {
  const patterns = [types ?? "*"].flat();
  const isEvery = patterns.some((pattern) => withoutPrefix(pattern) === "*");
  if (site === undefined && isEvery) return undefined;
  const isWanted = (name: string) => patterns.some((pattern) => matchesType(pattern, name));
  const entries = eventTypes.filter(
    ({ type: name, target }) =>
      isWanted(name) && (site === undefined || kindsOfSites.includes(target)),
  );
  const doings = Object.entries(customerTypes).filter(([, name]) => isWanted(name));
  return {
    entries: entries.map(({ type: name }) => name),
    doings: doings.map(([action]) => action),
    site,
  };
}

export interface EventFilter {
  types: readonly string[];
  site?: string | undefined;
}

/** Whether an event is of one of the types, and of the given site if there is one. */
export const matchesFilter = (
  { types, site }: EventFilter,
  event: { type: string; site?: string | undefined },
): boolean =>
  (site === undefined || event.site === site) &&
  types.some((pattern) => matchesType(pattern, event.type));
