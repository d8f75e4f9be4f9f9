import { type EventType, typePrefix, typesWithValues } from "./catalogue";
import type { CloudEvent } from "./contract";

const ids = {
  user: "user_01kzz2m8n4e3rs4xv1r0b5q7yd",
  session: "sess_01kzz2m8n4e3rs4xv1r0b5q7ye",
  "api-key": "key_01kzz2m8n4e3rs4xv1r0b5q7yf",
  tenant: "acme",
  site: "eu",
  preview: "prev_01kzz2m8n4e3rs4xv1r0b5q7yg",
  release: "rel_01kzz2m8n4e3rs4xv1r0b5q7yn",
  customer: "cust_01kzz2m8n4e3rs4xv1r0b5q7yh",
  "customer-import": "imp_01kzz2m8n4e3rs4xv1r0b5q7ym",
  webhook: "wh_01kzz2m8n4e3rs4xv1r0b5q7yj",
  "audit-stream": "ast_01kzz2m8n4e3rs4xv1r0b5q7ym",
  connection: "conn_01kzz2m8n4e3rs4xv1r0b5q7ym",
  alert: "alr_01kzz2m8n4e3rs4xv1r0b5q7yn",
  view: "view_01kzz2m8n4e3rs4xv1r0b5q7yp",
  marker: "mark_01kzz2m8n4e3rs4xv1r0b5q7ym",
} as const satisfies Record<EventType["target"], string>;

/** What an alert found. */
const values: Readonly<Record<string, unknown>> = {
  ...{ measure: "error-rate", threshold: 0.05, value: 0.12, shortValue: 0.2, calls: 4200 },
  ...{ site: ids.site, reason: "recovered" },
};

/** What customers do themselves; everything else is done by users. */
const byCustomers = ["registered", "updated", "signed-in", "password-changed", "deleted"];

/** An event of the type as it is delivered. */
export function exampleOf({ type, target, changes }: EventType): CloudEvent {
  const hasValues = typesWithValues.includes(type);
  const isOfSite = hasValues || ["site", "preview", "release", "customer"].includes(target);
  const isByCustomer = target === "customer" && byCustomers.includes(type.split(".")[1] ?? "");
  const by = isByCustomer ? ("customer" as const) : ("user" as const);
  const actor = hasValues ? { type: "system" as const, id: "alerts" } : { type: by, id: ids[by] };
  return {
    specversion: "1.0",
    id: "evt_01kzz2m8n4e3rs4xv1r0b5q7yc",
    source: "/tenants/acme",
    type: `${typePrefix}${type}`,
    subject: `${target}/${ids[target]}`,
    time: "2026-12-31T23:59:59.000Z",
    datacontenttype: "application/json",
    ...(isOfSite ? { site: ids.site } : {}),
    data: {
      actor,
      target: { type: target, id: ids[target] },
      changes: Object.fromEntries(
        changes.map((field) => [field, hasValues ? { after: values[field] } : {}]),
      ),
      requestId: "req_01kzz2m8n4e3rs4xv1r0b5q7yk",
      result: "success",
    },
  };
}
