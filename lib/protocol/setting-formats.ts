import { BlockList, isIP } from "node:net";
import { durationSeconds } from "./durations";

/** The user and password, the servers, and the rest of a connection string. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]+)(.*)$/i;
/** libpq's parameter: this product always looks for the server that accepts writes. */
const targetAttributes = /([?&])target_session_attrs=([^&#]*)(&?)/;
const acceptedTargets = ["any", "read-write", "primary"];

/** One connection string for each server in this one, in the same order. Throws a message without the text, which is secret. */
export function splitHosts(connectionString: string): string[] {
  const target = targetAttributes.exec(connectionString)?.[2];
  if (target !== undefined && !acceptedTargets.includes(target))
    throw new Error(`target_session_attrs must be one of ${acceptedTargets.join(", ")}.`);
  const plain = connectionString.replace(targetAttributes, (_, before, __, after) =>
    after === "" ? "" : before,
  );
  const [, start = "", hosts = "", rest = ""] = parts.exec(plain) ?? [];
  const servers =
    hosts === "" ? [plain] : hosts.split(",").map((host) => `${start}${host || ":"}${rest}`);
  if (!servers.every((server) => URL.canParse(server)))
    throw new Error("it is no address such as postgres://user:password@host:5432/database.");
  return servers;
}

/** The kind of IP address, as BlockList names it. */
export const addressFamily = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** The proxies of TRUSTED_PROXIES: addresses and CIDR ranges, separated by commas. Throws at the first invalid one. */
export function trustedProxies(list: string | undefined): BlockList | undefined {
  const entries = (list ?? "").split(",").map((entry) => entry.trim());
  const trusted = new BlockList();
  let count = 0;
  for (const entry of entries) {
    if (entry === "") continue;
    const [address = "", prefix] = entry.split("/");
    const bits = prefix === undefined ? undefined : Number(prefix);
    const max = isIP(address) === 6 ? 128 : 32;
    if (
      isIP(address) === 0 ||
      (bits !== undefined && !(/^\d+$/.test(prefix ?? "") && bits <= max))
    ) {
      throw new Error(`"${entry}" is neither an address nor a range such as 10.0.0.0/8.`);
    }
    if (bits === undefined) trusted.addAddress(address, addressFamily(address));
    else trusted.addSubnet(address, bits, addressFamily(address));
    count += 1;
  }
  return count > 0 ? trusted : undefined;
}

const leastBytes = 32;

/** The bytes of a secret in hexadecimal, base64 or base64url, or else as plain text. Throws, without showing it, if it is too short. */
export function decodeSecret(text: string): Buffer {
  const trimmed = text.trim();
  const hex = /^(?:[0-9a-f]{2})+$/i.test(trimmed) ? Buffer.from(trimmed, "hex") : undefined;
  const base64 = /^[\w+/-]+={0,2}$/.test(trimmed) ? Buffer.from(trimmed, "base64") : undefined;
  const key = [hex, base64, Buffer.from(trimmed)].find(
    (bytes) => bytes !== undefined && bytes.length >= leastBytes,
  );
  if (key === undefined)
    throw new Error(
      `it holds fewer than ${leastBytes} bytes. Make one with: openssl rand -base64 32`,
    );
  return key;
}

export interface Setting<Value> {
  /** As shown in the documentation. */
  default: string;
  /** The valid values, as shown in the documentation. */
  values: string;
  meaning: string;
  /** Parses the text, or returns the default without one. Throws a message, without the text if it is secret. */
  parse(text: string | undefined): Value;
  isSecret?: true;
}

export const declare = <Value>(setting: Setting<Value>) => setting;

/** How to parse a kind of value, and how the documentation describes it. */
interface Format<Value> {
  values: string;
  parse(text: string | undefined): Value;
}

/** A whole number in a range, with a default. */
export function whole(fallback: number, least: number, max: number): Format<number> {
  return {
    values: `whole number from ${least} to ${max}`,
    parse(text) {
      const value = text === undefined ? fallback : Number(text);
      if (!Number.isInteger(value) || value < least || value > max)
        throw new Error(`"${text}" is no whole number from ${least} to ${max}.`);
      return value;
    },
  };
}

export function oneOf<const Value extends string>(...values: Value[]): Format<Value | undefined> {
  return {
    values: values.map((value) => `\`${value}\``).join(", "),
    parse(text) {
      const found = values.find((value) => value === text);
      if (text !== undefined && found === undefined)
        throw new Error(`"${text}" is none of ${values.join(", ")}.`);
      return found;
    },
  };
}

export const duration = (fallback: string, meaning: string) =>
  declare({
    default: `\`${fallback}\``,
    values: "ISO 8601 duration",
    meaning,
    parse(text = fallback) {
      const seconds = durationSeconds(text);
      if (seconds === undefined)
        throw new Error(`"${text}" is no ISO 8601 duration such as ${fallback}.`);
      return seconds;
    },
  });

export const webAddress: Format<string | undefined> = {
  values: "address such as `https://api.example.com`",
  parse(text) {
    if (text === undefined) return undefined;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
      throw new Error(`"${text}" is no address such as https://api.example.com.`);
    return text.replace(/\/+$/, "");
  },
};

export const database: Format<string | undefined> = {
  values: "`postgres://user:password@host:5432/database`",
  parse(text) {
    const servers = text === undefined ? [] : splitHosts(text);
    if (!servers.every((server) => /^postgres(?:ql)?:$/.test(new URL(server).protocol)))
      throw new Error("it is no address such as postgres://user:password@host:5432/database.");
    return text;
  },
};

export const proxies = {
  values: "IP addresses and CIDR ranges, separated by commas",
  parse: trustedProxies,
};

const secretForm = "at least 32 bytes: hexadecimal, base64 or text";

export const secret: Format<Buffer | undefined> = {
  values: secretForm,
  parse: (key) => (key === undefined ? undefined : decodeSecret(key)),
};

export const formerSecrets: Format<{ secrets: Buffer[]; isLost: boolean }> = {
  values: `${secretForm}; separated by commas; or \`lost\``,
  parse(text = "") {
    const entries = text.split(",").map((entry) => entry.trim());
    const secrets = entries.filter((entry) => entry !== "" && entry !== "lost").map(decodeSecret);
    return { secrets, isLost: entries.includes("lost") };
  },
};

/** Compared unchanged with the token that a program sends. */
export const bearerToken: Format<string | undefined> = {
  values: "16 to 256 letters, digits and `-._~+/=`",
  parse(text) {
    if (text !== undefined && !/^[\w.~+/=-]{16,256}$/.test(text))
      throw new Error("it is no token of 16 to 256 letters, digits and -._~+/= characters.");
    return text;
  },
};

/** `mailto:`, `https:` and `tel:` addresses, separated by commas; an e-mail address without scheme is accepted too. */
export const contacts: Format<string[]> = {
  values: "`mailto:`, `https:` and `tel:` addresses, separated by commas",
  parse(text = "") {
    const given = text.split(",").map((one) => one.trim());
    const uris = given
      .filter((one) => one !== "")
      .map((one) => (/^[^\s@:/]+@[^\s@/]+$/.test(one) ? `mailto:${one}` : one));
    for (const uri of uris)
      if (!/^(?:mailto:|https:\/\/|tel:)[!-~]+$/.test(uri))
        throw new Error(`"${uri}" is no mailto:, https: or tel: address.`);
    return uris;
  },
};

/** A fraction from 0 to 1. */
export function ratio(fallback: number): Format<number> {
  return {
    values: "number from 0 to 1",
    parse(text) {
      const value = text === undefined ? fallback : Number(text);
      if (!(value >= 0 && value <= 1)) throw new Error(`"${text}" is no number from 0 to 1.`);
      return value;
    },
  };
}

/** In OpenTelemetry's format of headers: names and percent-encoded values. */
export const headerList: Format<Record<string, string>> = {
  values: "`name=value`, separated by commas, values percent-encoded",
  parse(text = "") {
    const entries = text.split(",").filter((entry) => entry.trim() !== "");
    return Object.fromEntries(
      entries.map((entry) => {
        const [, name, value] = /^\s*([\w-]+)=([!-~]*)\s*$/.exec(entry) ?? [];
        if (name === undefined || value === undefined || /%(?![0-9a-f]{2})/i.test(value))
          throw new Error("it is no list of headers such as name=value,other=value.");
        return [name.toLowerCase(), decodeURIComponent(value)];
      }),
    );
  },
};

export const path: Format<string | undefined> = { values: "path", parse: (text) => text };
