import { isIP } from "node:net";
import { connect } from "node:tls";
import { type Attempt, attempted, maxSendMs } from "@/lib/features/events/delivery/attempt";
import { checkedLookup, resolveName, urlProblem } from "@/lib/features/events/delivery/target";
import type { StreamSettings } from "@/lib/protocol/documents/delivery";
import { publicUrl } from "@/lib/protocol/settings";
import type { Batch, OpenStream, StreamedEntry } from "./stream";

/** The facility "log audit" of RFC 5424. */
const facility = 13;
const severity = { success: 5, failure: 4 };

/** 32473 is the example enterprise number of RFC 5612, for software without a registered one. */
const structure = "gatehouse@32473";

const escaped = (text: string) => text.replace(/["\\\]]/g, "\\$&");

/** Limits the text to printable ASCII without spaces, as headers require. */
const headerText = (text: string, max: number) =>
  text.replace(/[^\x21-\x7e]/g, "?").slice(0, max) || "-";

/** An entry as a syslog message: filter fields as structured data, the whole entry as JSON. */
function syslogMessage(entry: StreamedEntry, tenantId: string, hostname: string): string {
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

/** An octet-counting frame (RFC 5425, RFC 6587): the number of bytes, then the bytes. */
const frameOf = (message: string): string => `${Buffer.byteLength(message)} ${message}`;

type Syslog = Extract<StreamSettings, { kind: "syslog" }>;

/** The address as a URL, for the checks that expect one. */
export const syslogAddress = ({ host, port }: Pick<Syslog, "host" | "port">): string =>
  `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}/`;

/**
 * Writes everything over one connection and ends it. Syslog has no acknowledgements, but a receiver that has read everything closes its
 * side too (RFC 5425, 4.4). A connection that is reset or stays silent before that counts as failed.
 */
function write({ host, port, ca }: Syslog, text: string): Promise<void> {
  const name = isIP(host) === 0 ? { servername: host } : {};
  const lookup = checkedLookup(resolveName);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup, ...name, ...(ca === undefined ? {} : { ca }) });
    const timer = setTimeout(() => {
      socket.destroy(new DOMException("No answer in time.", "TimeoutError"));
    }, maxSendMs);
    socket.once("secureConnect", () => socket.end(text));
    socket.once("error", reject);
    socket.once("close", () => {
      clearTimeout(timer);
      if (socket.writableFinished && socket.readableEnded) resolve();
      else reject(new Error("The connection ended before everything was read."));
    });
    socket.resume();
  });
}

/** Sends the entries as messages of RFC 5424 over TLS. */
export function sendBySyslog(
  { tenantId, settings }: OpenStream<Syslog>,
  { entries }: Batch,
): Promise<Attempt> {
  return attempted(async () => {
    const forbidden = urlProblem(syslogAddress(settings));
    if (forbidden !== undefined) return { problem: `The host ${forbidden}.` };
    const { hostname } = new URL(publicUrl());
    const frames = entries.map((entry) => frameOf(syslogMessage(entry, tenantId, hostname)));
    await write(settings, frames.join(""));
    return { isDelivered: true };
  });
}
