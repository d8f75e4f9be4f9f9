import { type EventType, typePrefix } from "./catalogue";
import type { CloudEvent } from "./contract";

const ids = {
  user: "user_01kzz2m8n4e3rs4xv1r0b5q7yd",
  session: "sess_01kzz2m8n4e3rs4xv1r0b5q7ye",
  "api-key": "key_01kzz2m8n4e3rs4xv1r0b5q7yf",
  tenant: "acme",
  site: "eu",
  preview: "prev_01kzz2m8n4e3rs4xv1r0b5q7yg",
  customer: "cust_01kzz2m8n4e3rs4xv1r0b5q7yh",
  "customer-import": "imp_01kzz2m8n4e3rs4xv1r0b5q7ym",
  webhook: "wh_01kzz2m8n4e3rs4xv1r0b5q7yj",
  "audit-stream": "ast_01kzz2m8n4e3rs4xv1r0b5q7ym",
} as const satisfies Record<EventType["target"], string>;

/** What customers do themselves; everything else is done by users. */
const byCustomers = ["registered", "updated", "signed-in", "password-changed", "deleted"];

/** An event of the type as it is delivered. */
export function exampleOf({ type, target, changes }: EventType): CloudEvent {
  const isOfSite = target === "site" || target === "preview" || target === "customer";
  const isByCustomer = target === "customer" && byCustomers.includes(type.split(".")[1] ?? "");
  const actor = isByCustomer ? ("customer" as const) : ("user" as const);
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
      actor: { type: actor, id: ids[actor] },
      target: { type: target, id: ids[target] },
      changes: Object.fromEntries(changes.map((field) => [field, {}])),
      requestId: "req_01kzz2m8n4e3rs4xv1r0b5q7yk",
      result: "success",
    },
  };
}
