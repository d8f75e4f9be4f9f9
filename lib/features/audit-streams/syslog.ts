import { isIP } from "node:net";
import { connect } from "node:tls";
import { type Attempt, attempted, maxSendMs } from "@/lib/features/delivery/attempt";
import { checkedLookup, resolveName } from "@/lib/features/delivery/resolve";
import { urlProblem } from "@/lib/features/delivery/target";
import type { StreamSettings } from "@/lib/protocol/documents/audit-stream";
import { publicUrl } from "@/lib/protocol/public-url";
import type { Batch } from "./batch";
import type { OpenStream } from "./open-stream";
import { frameOf, syslogMessage } from "./rfc5424";

type Syslog = Extract<StreamSettings, { kind: "syslog" }>;

/** What checks for URLs take. */
export const syslogAddress = ({ host, port }: Pick<Syslog, "host" | "port">): string =>
  `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}/`;

/**
 * Writes everything over one connection and ends it. Syslog has no receipts; but a receiver that has read to the end closes its side too
 * (RFC 5425, 4.4). A connection that is reset or stays silent before that counts as failed.
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
