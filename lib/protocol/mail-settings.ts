import { isEmailAddress } from "./formats";
import type { Setting } from "./setting-formats";

type Format<Value> = Pick<Setting<Value>, "values" | "parse">;

/** The server that mails are sent through, and how the connection is protected. */
export interface MailServer {
  host: string;
  port: number;
  /** tls: from the first byte; starttls: before any data; none: not at all. */
  security: "tls" | "starttls" | "none";
  user?: string;
  password?: string;
}

const form = "`smtps://user:password@host:465` or `smtp://user:password@host:587`";
const malformed = () =>
  new Error(
    "it is no address such as smtps://user:password@host:465 or smtp://user:password@host:587.",
  );

const securityOf = (url: URL): MailServer["security"] => {
  if (url.protocol === "smtps:") return "tls";
  return url.searchParams.get("tls") === "off" ? "none" : "starttls";
};

/**
 * smtps:// speaks TLS at once. smtp:// insists on STARTTLS, so that nobody in between gets to see a link, unless `?tls=off` says that
 * the network in between is one's own.
 */
export const mailServer: Format<MailServer | undefined> = {
  values: `${form}; \`?tls=off\` for a relay without STARTTLS`,
  parse(text) {
    if (text === undefined) return undefined;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isQueryKnown = url !== undefined && (url.search === "" || url.search === "?tls=off");
    if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || !isQueryKnown)
      throw malformed();
    if (!/^\/?$/.test(url.pathname) || url.hash !== "") throw malformed();
    const security = securityOf(url);
    const [user, password] = [url.username, url.password].map(decodeURIComponent);
    return {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: Number(url.port || (security === "tls" ? 465 : 587)),
      security,
      ...(user ? { user, password: password ?? "" } : {}),
    };
  },
};

/** `name@host`, or `Name <name@host>`. */
export const mailbox: Format<{ name: string; address: string } | undefined> = {
  values: "`name@example.com` or `Name <name@example.com>`",
  parse(text) {
    if (text === undefined) return undefined;
    const [, name = "", inBrackets] = /^([^<>"\p{Cc}]*)<([^<>]+)>$/u.exec(text.trim()) ?? [];
    const address = (inBrackets ?? text).trim();
    if (!isEmailAddress(address))
      throw new Error(`"${text}" is no sender such as Gatehouse <no-reply@example.com>.`);
    return { name: name.trim(), address };
  },
};
