import { isIP } from "node:net";
import { isAllowedAddress } from "./addresses";

const maxUrlLength = 2048;

/** The address in the host of a URL; undefined for a name. WHATWG URLs turn decimal, octal, hexadecimal and short forms into dotted ones. */
export function literalAddress({ hostname }: URL): string | undefined {
  const text = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(text) === 0 ? undefined : text;
}

const mayBePlain = () => process.env.NODE_ENV !== "production";

/** Why nothing is sent to this URL, as words after "/url"; undefined for one that is fine. What a name leads to is checked when it is resolved. */
export function urlProblem(text: string): string | undefined {
  if (text.length > maxUrlLength) return `must have at most ${maxUrlLength} characters`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return "must be a URL";
  if (url.protocol !== "https:" && !(url.protocol === "http:" && mayBePlain()))
    return "must begin with https://";
  if (url.username !== "" || url.password !== "") return "must hold no user and no password";
  if (url.hash !== "") return "must have no fragment";
  const address = literalAddress(url);
  if (address !== undefined && !isAllowedAddress(address))
    return "must not lead to a private, local or reserved address";
  return undefined;
}
