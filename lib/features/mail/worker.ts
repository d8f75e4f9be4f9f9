import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { isSandbox } from "@/lib/access/sites";
import { globalStatements } from "@/lib/database/global";
import { readAllTenants } from "@/lib/database/tenant-scans";
import { retryDelayMs } from "@/lib/features/events/delivery/attempt";
import { log } from "@/lib/protocol/log";
import type { MailServer } from "@/lib/protocol/mail-settings";
import { publicUrl, setting } from "@/lib/protocol/settings";
import { claimMails, type MailRow, postponeMail, reserveMail, settleMail } from "./rows";
import { type MailLanguages, type Words, wordsIn } from "./words";

/** Timeouts for the connection, the greeting and the responses of a server. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const maxConnections = 2;

/** Connections to the mail server. `ca` is a certificate authority to trust in addition to those of Node. */
function openTransport(server: MailServer, ca?: string) {
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

type MailTransport = ReturnType<typeof openTransport>;

/** The loggable part of a failure: the server's message may contain an address. */
function failureOf(error: unknown): { code?: string; responseCode?: number } {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return {
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof responseCode === "number" ? { responseCode } : {}),
  };
}

/** Whether the server rejected this mail permanently, so that a retry would fail too. */
function isRejectedForGood(error: unknown): boolean {
  const { code, responseCode = 0 } = failureOf(error);
  return responseCode >= 500 && (code === "EENVELOPE" || code === "EMESSAGE");
}

/** The next tenants with due mails, ordered by id. */
async function tenantsWithMails(now: Date, after: string): Promise<string[]> {
  const rows = await readAllTenants<{ tenantId: string }>(
    "tenants-with-mails",
    globalStatements.tenantsWithMails,
    [now, after],
  );
  return rows.map(({ tenantId }) => tenantId);
}

/*
 * Sends the queued mails. A process claims a few mails of a tenant for two minutes, longer than an attempt can last, and settles each
 * once the server has accepted it. If the process dies in between, the mail is claimed again and has the same Message-ID.
 */

const lookMs = 1000;
const claimMs = 120_000;
const sendMs = 90_000;
const claimedAtOnce = 4;
const dayMs = 24 * 3600 * 1000;

type Kind = MailRow["kind"];

/** How long a mail of the kind is retried, and the daily limit per user. */
const bounds: Record<Kind, { maxAgeMs: number; maxADay: number }> = {
  "password-reset": { maxAgeMs: 3600 * 1000, maxADay: 5 },
  notice: { maxAgeMs: dayMs / 2, maxADay: 50 },
  alert: { maxAgeMs: 2 * 3600 * 1000, maxADay: 100 },
  "email-confirmation": { maxAgeMs: dayMs / 2, maxADay: 5 },
  "access-request": { maxAgeMs: dayMs / 2, maxADay: 20 },
};

/** The daily limits of a tenant for all kinds of mail. Anyone can create a sandbox and make it send mails in the operator's name. */
export const maxADayOfTenant = { sandbox: 20, other: 5000 } as const;

export interface Recipient {
  userId: string;
  address: string;
  /** The language that the user chose in the portal. */
  language?: string | undefined;
}

interface Letter {
  subject: string;
  text: string;
}

/** Finds the recipient of a mail and writes it. `write` is only called if there is a recipient. */
interface Writer<To extends Recipient = Recipient> {
  recipient: (mail: MailRow) => Promise<To | undefined>;
  write: (mail: MailRow, to: To, words: Words) => Promise<Letter>;
}

/** Keeps the type of the recipient between the two halves of a writer. */
export const writer = <To extends Recipient>({ recipient, write }: Writer<To>) => ({
  /** Passes the recipient and a function that writes the mail to `use`; undefined without a recipient. */
  open: async (mail: MailRow) => {
    const to = await recipient(mail);
    return to && { to: to as Recipient, letter: (words: Words) => write(mail, to, words) };
  },
});

export type Writers = Record<Kind, ReturnType<typeof writer>>;

interface Engine {
  transport: MailTransport;
  writers: Writers;
  languages: MailLanguages;
  stopping: AbortSignal;
}

/** Domains that no mail can reach (RFC 2606 and RFC 6761). */
const reserved = /(?:^|[.@])(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/i;

const sender = () => {
  const { hostname } = new URL(publicUrl());
  return setting("MAIL_FROM") ?? { name: "Gatehouse", address: `no-reply@${hostname}` };
};

/** The same for each attempt, so that a mailbox can recognize duplicates. */
const messageId = ({ tenantId, mailId }: MailRow) =>
  `<${createHash("sha256").update(`${tenantId}/${mailId}`).digest("hex")}@${sender().address.split("@").at(-1)}>`;

/** Limits the total time: a server that sends a byte now and then never hits the socket timeout. */
async function withinTime(sent: Promise<unknown>): Promise<void> {
  const deadline = new AbortController();
  const late = wait(sendMs, undefined, { ref: false, signal: deadline.signal }).then(() => {
    throw Object.assign(new Error("The mail server took too long."), { code: "ETIMEDOUT" });
  });
  try {
    await Promise.race([sent, late]);
  } finally {
    deadline.abort();
    late.catch(() => undefined);
    sent.catch(() => undefined);
  }
}

async function deliver({ transport, writers, languages }: Engine, mail: MailRow): Promise<void> {
  const { tenantId, kind } = mail;
  const open = await writers[kind].open(mail);
  if (!open || reserved.test(open.to.address)) return settleMail(mail, "dropped");
  const { userId, address, language } = open.to;
  const isReserved = await reserveMail(mail, userId, {
    since: new Date(Date.now() - dayMs),
    ofTenant: maxADayOfTenant[(await isSandbox(tenantId)) ? "sandbox" : "other"],
    ofPerson: bounds[kind].maxADay,
  });
  if (!isReserved) return settleMail(mail, "dropped");
  const { subject, text } = await open.letter(wordsIn(languages, language));
  const sent = transport.sendMail({
    from: sender(),
    to: { name: "", address },
    subject,
    text,
    messageId: messageId(mail),
    headers: { "Auto-Submitted": "auto-generated" },
  });
  await withinTime(sent);
  await settleMail(mail, "sent");
}

/** Schedules another attempt, or drops a mail that is too old or permanently rejected. */
async function retryLater(mail: MailRow, error: unknown): Promise<void> {
  const { tenantId, kind, attempts, createdAt } = mail;
  const dueAt = new Date(Date.now() + retryDelayMs(attempts));
  const isTooLate = dueAt.getTime() - createdAt.getTime() > bounds[kind].maxAgeMs;
  const isOver = isTooLate || isRejectedForGood(error);
  const what = isOver ? "a mail was given up" : "a mail was not sent and is tried again";
  log().warn({ tenantId, kind, attempts, ...failureOf(error) }, what);
  await (isOver ? settleMail(mail, "dropped") : postponeMail(mail, dueAt));
}

async function sendDue(engine: Engine, tenantId: string): Promise<void> {
  while (!engine.stopping.aborted) {
    const now = new Date();
    const until = new Date(now.getTime() + claimMs);
    const claimed = await claimMails(tenantId, { now, until, limit: claimedAtOnce });
    const sent = claimed.map((mail) =>
      deliver(engine, mail).catch((error: unknown) => retryLater(mail, error)),
    );
    await Promise.all(sent);
    if (claimed.length < claimedAtOnce) return;
  }
}

async function takeTurn(engine: Engine): Promise<void> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const tenants: string[] = await tenantsWithMails(new Date(), after);
    for (const tenantId of tenants) if (!engine.stopping.aborted) await sendDue(engine, tenantId);
    after = tenants.at(-1);
  }
}

/** Sends mails until the returned function is called, which waits for pending ones; does nothing if no mail server is configured. */
export function startMailing(
  writers: Writers,
  server: MailServer | undefined = setting("SMTP_URL"),
  { ca, languages = new Map() }: { ca?: string | undefined; languages?: MailLanguages } = {},
): () => Promise<void> {
  if (!server) return () => Promise.resolve();
  const stop = new AbortController();
  const transport = openTransport(server, ca);
  const engine: Engine = { transport, writers, languages, stopping: stop.signal };
  const repeat = async () => {
    while (!stop.signal.aborted) {
      await takeTurn(engine).catch((error: unknown) =>
        log().warn({ err: error }, "mails could not be looked for"),
      );
      await wait(lookMs, undefined, { ref: false, signal: stop.signal }).catch(() => undefined);
    }
  };
  const running = repeat();
  return async () => {
    stop.abort();
    await running;
    transport.close();
  };
}
