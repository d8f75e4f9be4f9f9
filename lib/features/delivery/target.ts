import { isIP } from "node:net";
import { isAllowedAddress } from "./addresses";

const maxUrlLength = 2048;

/** The address in the host of a URL; undefined for a name. WHATWG URLs turn decimal, octal, hexadecimal and short forms into dotted ones. */
export function literalAddress({ hostname }: URL): string | undefined {
  const text = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(text) === 0 ? undefined : text;
}

const mayBePlain = () => process.env.NODE_ENV !== "production";

/** Names that every machine resolves to itself, whatever its name servers say. */
const isLocalName = ({ hostname }: URL) => /(?:^|\.)localhost\.?$/.test(hostname);

const leadsInside = (url: URL): boolean => {
  const address = literalAddress(url) ?? (isLocalName(url) ? "127.0.0.1" : undefined);
  return address !== undefined && !isAllowedAddress(address);
};

/**
 * Why nothing is sent to this URL, as words after "/url"; undefined for one that is fine. What is stored and sent to is checked, which is not
 * always what was typed: `new URL(text).href`. What a name leads to is checked when it is resolved.
 */
export function urlProblem(text: string): string | undefined {
  // A URL's parser drops them without a word.
  if (/[\p{Cc}]/u.test(text)) return "must hold no line breaks and no control characters";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return "must be a URL";
  if (url.href.length > maxUrlLength)
    return `must have at most ${maxUrlLength} characters once it is percent-encoded`;
  if (url.port === "0") return "must name no port 0";
  if (url.protocol !== "https:" && !(url.protocol === "http:" && mayBePlain()))
    return "must begin with https://";
  if (url.username !== "" || url.password !== "") return "must hold no user and no password";
  if (url.hash !== "") return "must have no fragment";
  if (leadsInside(url)) return "must not lead to a private, local or reserved address";
  return undefined;
}
