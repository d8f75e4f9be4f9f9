import { durationSeconds } from "./durations";
import { decodeSecret } from "./secret-text";
import { splitHosts } from "./store-address";
import { trustedProxies } from "./trusted-proxies";

export interface Setting<Value> {
  /** As the documentation shows it. */
  default: string;
  /** What is well-formed, as the documentation shows it. */
  values: string;
  meaning: string;
  /** Reads the text, or what counts where there is none. Throws in words, without the text where it is secret. */
  parse(text: string | undefined): Value;
  isSecret?: true;
}

export const declare = <Value>(setting: Setting<Value>) => setting;

/** How a kind of value reads its text, and how the documentation describes it. */
interface Format<Value> {
  values: string;
  parse(text: string | undefined): Value;
}

/** A whole number in a range, the fallback where none is given. */
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

/** Compared as it is with what a program sends. */
export const bearerToken: Format<string | undefined> = {
  values: "16 to 256 letters, digits and `-._~+/=`",
  parse(text) {
    if (text !== undefined && !/^[\w.~+/=-]{16,256}$/.test(text))
      throw new Error("it is no token of 16 to 256 letters, digits and -._~+/= characters.");
    return text;
  },
};

/** `mailto:`, `https:` and `tel:` addresses, separated by commas; an e-mail address without scheme is one too. */
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

/** A part from 0 to 1. */
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

/** As OpenTelemetry writes headers: names and percent-encoded values. */
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
