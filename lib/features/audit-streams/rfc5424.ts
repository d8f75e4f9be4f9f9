import type { StreamedEntry } from "./batch";

/** "Log audit", as RFC 5424 numbers it. */
const facility = 13;
const severity = { success: 5, failure: 4 };

/** 32473 is the enterprise number of RFC 5612 for those that have none. */
const structure = "gatehouse@32473";

const escaped = (text: string) => text.replace(/["\\\]]/g, "\\$&");

/** Printable ASCII without spaces, which is all that a header may hold. */
const headerText = (text: string, max: number) =>
  text.replace(/[^\x21-\x7e]/g, "?").slice(0, max) || "-";

/** An entry as a message of syslog: what to filter by as structured data, all of it as JSON. */
export function syslogMessage(entry: StreamedEntry, tenantId: string, hostname: string): string {
  const { id, action, actor, target, result, requestId, occurredAt, chain } = entry;
  const fields = {
    tenant: tenantId,
    ...{ id, seq: String(chain?.seq ?? 0), action, result, requestId },
    ...{ actorType: actor.type, actor: actor.id, targetType: target.type, target: target.id },
  };
  const data = Object.entries(fields).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const header = [
    `<${facility * 8 + severity[result]}>1`,
    ...[occurredAt, headerText(hostname, 255), "gatehouse", "-", headerText(action, 32)],
  ].join(" ");
  return `${header} [${structure}${data.join("")}] \ufeff${JSON.stringify(entry)}`;
}

/** A frame of octet counting (RFC 5425, RFC 6587): how many bytes follow, and these. */
export const frameOf = (message: string): string => `${Buffer.byteLength(message)} ${message}`;
