import { createTransport } from "nodemailer";
import type { MailServer } from "@/lib/protocol/mail-settings";

/** How long a server may take to accept a connection, to greet and to answer. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const maxConnections = 2;

/** Connections to the mail server. `ca` is an authority to trust in addition to those of Node. */
export function openTransport(server: MailServer, ca?: string) {
  const { host, port, security, user, password = "" } = server;
  return createTransport({
    ...{ pool: true, maxConnections, host, port, ...timeouts },
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(ca === undefined ? {} : { tls: { ca } }),
    ...(user === undefined ? {} : { auth: { user, pass: password } }),
  });
}

export type MailTransport = ReturnType<typeof openTransport>;

/** What may be logged of a failure: the server's own words may repeat an address. */
export function failureOf(error: unknown): { code?: string; responseCode?: number } {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return {
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof responseCode === "number" ? { responseCode } : {}),
  };
}

/** Whether the server has rejected this very mail for good, so that another attempt would be rejected too. */
export function isRejectedForGood(error: unknown): boolean {
  const { code, responseCode = 0 } = failureOf(error);
  return responseCode >= 500 && (code === "EENVELOPE" || code === "EMESSAGE");
}
