import type { AuditChanges, AuditTarget } from "@/lib/protocol/documents/audit-entry";
import { typePrefix, typesWithValues } from "./catalogue";
import type { CloudEvent } from "./contract";
import type { FeedRow } from "./rows";
import { customerTypes } from "./values";

/** The site that a fact of the trail is about; undefined for one about the tenant. */
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

/** A row of the feed as an event: the same fact, without the address it came from. */
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

/** The event with ids and names of fields only: without logins, names and values, but for those of alerts, which are numbers. */
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
