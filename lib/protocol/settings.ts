import { durationSeconds } from "@/lib/protocol/durations";
import { perProcess } from "@/lib/protocol/per-process";
import { decodeSecret } from "@/lib/protocol/secret-text";
import { splitHosts } from "@/lib/protocol/store-address";
import { trustedProxies } from "@/lib/protocol/trusted-proxies";

interface Setting<Value> {
  /** As the documentation shows it. */
  default: string;
  meaning: string;
  /** Reads the text, or what counts where there is none. Throws in words, without the text where it is secret. */
  parse(text: string | undefined): Value;
  isSecret?: true;
}

const declare = <Value>(setting: Setting<Value>) => setting;

function whole(fallback: number, least: number, max: number) {
  return (text: string | undefined): number => {
    const value = text === undefined ? fallback : Number(text);
    if (!Number.isInteger(value) || value < least || value > max)
      throw new Error(`"${text}" is no whole number from ${least} to ${max}.`);
    return value;
  };
}

function oneOf<const Value extends string>(...values: Value[]) {
  return (text: string | undefined): Value | undefined => {
    const found = values.find((value) => value === text);
    if (text !== undefined && found === undefined)
      throw new Error(`"${text}" is none of ${values.join(", ")}.`);
    return found;
  };
}

const duration = (fallback: string, meaning: string) =>
  declare({
    default: fallback,
    meaning,
    parse(text = fallback) {
      const seconds = durationSeconds(text);
      if (seconds === undefined)
        throw new Error(`"${text}" is no ISO 8601 duration such as ${fallback}.`);
      return seconds;
    },
  });

function address(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new Error(`"${text}" is no address such as https://api.example.com.`);
  return text.replace(/\/+$/, "");
}

function database(text: string | undefined): string | undefined {
  const servers = text === undefined ? [] : splitHosts(text);
  if (!servers.every((server) => /^postgres(?:ql)?:$/.test(new URL(server).protocol)))
    throw new Error("it is no address such as postgres://user:password@host:5432/database.");
  return text;
}

function formerSecrets(text = ""): { secrets: Buffer[]; isLost: boolean } {
  const entries = text.split(",").map((entry) => entry.trim());
  const secrets = entries.filter((entry) => entry !== "" && entry !== "lost").map(decodeSecret);
  return { secrets, isLost: entries.includes("lost") };
}

const text = (given: string | undefined) => given;
const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Every setting, once: what it means, what counts without it, and what is well-formed. */
export const settings = {
  PORT: declare({
    default: "3000",
    meaning: "the port it listens on",
    parse: whole(3000, 0, 65_535),
  }),
  HOST: declare({
    default: "127.0.0.1",
    meaning: "the address it listens on",
    parse: (host = "127.0.0.1") => host,
  }),
  PUBLIC_URL: declare({
    default: "http://localhost:PORT",
    meaning:
      "how it is reached: links, token issuer, cookies, Origin check; the same for every instance",
    parse: address,
  }),
  TRUSTED_PROXIES: declare({
    default: "none",
    meaning: "addresses and CIDR ranges whose X-Forwarded-For counts",
    parse: trustedProxies,
  }),
  DRAIN_MS: declare({
    default: "5000",
    meaning:
      "on SIGTERM: how long it still answers while readiness says 503, before it stops listening; 0 on Ctrl C",
    parse: whole(5000, 0, 15_000),
  }),
  DATABASE_URL: declare({
    default: "embedded PostgreSQL 18",
    meaning:
      "a PostgreSQL from 15 on; of several hosts, separated by commas, the one that accepts writes is used",
    parse: database,
    isSecret: true,
  }),
  MIGRATION_DATABASE_URL: declare({
    default: "DATABASE_URL",
    meaning:
      "another role for migrations, partitions and the retention of the trail; the service's own may then neither change nor delete audit entries",
    parse: database,
    isSecret: true,
  }),
  NEWER_STORE: declare({
    default: "refuse",
    meaning: "accept starts this release on a store that a newer one has migrated, to go back",
    parse: oneOf("refuse", "accept"),
  }),
  DATABASE_POOL: declare({
    default: "10",
    meaning: "connections for writes and for what may take long",
    parse: whole(10, 1, 1000),
  }),
  DATA_DIR: declare({
    default: "./data",
    meaning: "the embedded store and generated secrets",
    parse: (folder = "data") => folder,
  }),
  SECRET_KEY: declare({
    default: "32 bytes made in DATA_DIR",
    meaning: "what every other key is derived from; required with DATABASE_URL in production",
    parse: (key) => (key === undefined ? undefined : decodeSecret(key)),
    isSecret: true,
  }),
  SECRET_KEY_PREVIOUS: declare({
    default: "none",
    meaning:
      'former keys, separated by commas: what they signed or encrypted still counts; "lost" gives up what a lost one protected',
    parse: formerSecrets,
    isSecret: true,
  }),
  SIGN_UP: declare({
    default: "on for the embedded store, else off",
    meaning: "whether strangers may make sandbox tenants, and users further ones",
    parse: oneOf("on", "off"),
  }),
  DEMO: declare({
    default: "on for the embedded store",
    meaning: "whether the first run makes the demo tenant",
    parse: oneOf("on", "off"),
  }),
  LOG_LEVEL: declare({
    default: "info",
    meaning: levels.join(", "),
    parse: (level) => oneOf(...levels)(level) ?? "info",
  }),
  LOG_FILE: declare({ default: "standard output", meaning: "the file for the log", parse: text }),
  SESSION_IDLE: duration("PT30M", "how long a session lasts without use"),
  SESSION_ABSOLUTE: duration("PT12H", "how long a session lasts at most"),
  ANONYMOUS_TOKEN_TTL: duration("PT1H", "how long an anonymous token counts"),
  ACCESS_TOKEN_TTL: duration("PT15M", "how long a customer's access token counts"),
  REFRESH_IDLE: duration("P30D", "how long a refresh token counts without use"),
  REFRESH_ABSOLUTE: duration("P180D", "how long a customer stays signed in at most"),
  REFRESH_GRACE: duration("PT10S", "how long a refresh token may be sent again after it was used"),
  METRICS_SPOOL_BYTES: declare({
    default: "67108864",
    meaning: "how much may wait for a store that is away",
    parse: whole(64 * 1024 * 1024, 1, Number.MAX_SAFE_INTEGER),
  }),
  LOGIN_THROTTLE: declare({
    default: "on",
    meaning: "off for load tests only",
    parse: oneOf("on", "off"),
  }),
  RATE_LIMITS: declare({
    default: "on",
    meaning: "off for load tests only",
    parse: oneOf("on", "off"),
  }),
};

type Name = keyof typeof settings;
type Value<N extends Name> = ReturnType<(typeof settings)[N]["parse"]>;

const parsed = perProcess(
  "settings",
  () => new Map<Name, { text: string | undefined; value: unknown }>(),
);

/** The environment is slow to read, and a running service keeps what it started with. */
const isKept = process.env.NODE_ENV === "production";

/** The setting's value. An empty one counts as not given. Throws in words when it is ill-formed. */
export function setting<N extends Name>(name: N): Value<N> {
  const known = parsed().get(name);
  if (known && isKept) return known.value as Value<N>;
  const text = process.env[name] || undefined;
  if (known && known.text === text) return known.value as Value<N>;
  try {
    const value = settings[name].parse(text) as Value<N>;
    parsed().set(name, { text, value });
    return value;
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads every setting, so that a start with an ill-formed one ends at once and says which. */
export function checkSettings(): void {
  const faults = (Object.keys(settings) as Name[]).flatMap((name) => {
    try {
      setting(name);
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
  if (faults.length > 0) throw new Error(faults.join("\n"));
}
