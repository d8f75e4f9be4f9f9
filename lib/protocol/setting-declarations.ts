import { mailbox, mailServer } from "./mail-settings";
import {
  bearerToken,
  contacts,
  database,
  declare,
  duration,
  formerSecrets,
  headerList,
  oneOf,
  path,
  proxies,
  ratio,
  secret,
  webAddress,
  whole,
} from "./setting-formats";

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const level = oneOf(...levels);

/** Every setting, once: its meaning, its default and its format. */
export const settings = {
  PORT: declare({
    default: "`3000`",
    meaning: "the port it listens on",
    ...whole(3000, 0, 65_535),
  }),
  HOST: declare({
    default: "`127.0.0.1`",
    values: "IP address or name of this machine",
    meaning: "the address it listens on; `0.0.0.0` in a container",
    parse: (host = "127.0.0.1") => host,
  }),
  WORKERS: declare({
    default: "`1`",
    meaning:
      "how many processes answer behind the port, for a machine with many cores: [several processes](scale-out.md#several-processes-on-one-machine)",
    ...whole(1, 1, 64),
  }),
  PUBLIC_URL: declare({
    default: "`http://localhost:PORT`",
    meaning:
      "how it is reached: links, token issuer, cookies, Origin check; the same for every instance",
    ...webAddress,
  }),
  PASSKEYS_OF_OTHER_HOST: declare({
    default: "`keep`",
    meaning:
      "passkeys belong to the host of `PUBLIC_URL`: with `keep` a start with another host is rejected while there are any; `end` starts, and they sign nobody in",
    ...oneOf("keep", "end"),
  }),
  TRUSTED_PROXIES: declare({
    default: "none",
    meaning:
      "whose `X-Forwarded-For` counts; set it behind a proxy, for each address has limits of its own",
    ...proxies,
  }),
  WEBHOOK_NETWORKS: declare({
    default: "none",
    meaning:
      "inner networks that webhooks and audit streams may be sent to; public addresses are always allowed",
    ...proxies,
  }),
  AUDIT_STREAM_FOLDER: declare({
    default: "none",
    meaning:
      "the folder, which must be there, that audit streams of the kind `file` write to, each tenant in one of its own; without it there are none",
    ...path,
  }),
  DRAIN_MS: declare({
    default: "`5000`",
    meaning:
      "on SIGTERM: how long it still answers while `/readyz` says 503, before it stops listening; 0 on Ctrl C",
    ...whole(5000, 0, 15_000),
  }),
  DATABASE_URL: declare({
    default: "embedded PostgreSQL 18",
    meaning:
      "a PostgreSQL from 15 on; of several hosts, separated by commas, the one that accepts writes is used",
    ...database,
    isSecret: true,
  }),
  MIGRATION_DATABASE_URL: declare({
    default: "`DATABASE_URL`",
    meaning:
      "another role for migrations, partitions and the retention of the trail; the service's own may then neither change nor delete audit entries",
    ...database,
    isSecret: true,
  }),
  NEWER_STORE: declare({
    default: "`refuse`",
    meaning:
      "`accept` starts this release on a store that a newer one has migrated, to go back: [upgrades](upgrades.md)",
    ...oneOf("refuse", "accept"),
  }),
  DATABASE_POOL: declare({
    default: "`10`",
    meaning: "connections for writes and for what may take long",
    ...whole(10, 1, 1000),
  }),
  STORE_TIMEOUT_MS: declare({
    default: "`2000`",
    meaning:
      "how long opening a connection may take; for half of it a silent store is waited for, and after five failed trials (1.25 s) requests are rejected at once until it answers. An idle transaction ends after one and a half times as long. Raise it for a store that sleeps when it is not used",
    ...whole(2000, 500, 60_000),
  }),
  DATA_DIR: declare({
    default: "`./data`",
    values: "path",
    meaning:
      "the embedded store and generated secrets; keep its files together: the store's passwords are made from `postgres-secret`",
    parse: (folder = "data") => folder,
  }),
  SECRET_KEY: declare({
    default: "32 bytes made in `DATA_DIR`",
    meaning:
      "what every other key is derived from; required with `DATABASE_URL` in production, by every command that writes as well",
    ...secret,
    isSecret: true,
  }),
  SECRET_KEY_PREVIOUS: declare({
    default: "none",
    meaning:
      "former keys: what they signed or encrypted still counts; `lost` gives up what a lost one protected",
    ...formerSecrets,
    isSecret: true,
  }),
  BACKUP_KEY: declare({
    default: "none",
    meaning:
      "what `npm run backup` encrypts with and `npm run restore` decrypts: [backup](backup.md)",
    ...secret,
    isSecret: true,
  }),
  SIGN_UP: declare({
    default: "`on` for the embedded store, else `off`",
    meaning: "whether strangers may make sandbox tenants at `/sign-up`, and users further ones",
    ...oneOf("on", "off"),
  }),
  DEMO: declare({
    default: "`on` for the embedded store",
    meaning: "whether the first run makes the demo tenant, whose calls go on while the server runs",
    ...oneOf("on", "off"),
  }),
  LOG_LEVEL: declare({
    default: "`info`",
    meaning: "the least severe lines that are written",
    values: level.values,
    parse: (text) => level.parse(text) ?? "info",
  }),
  LOG_FILE: declare({ default: "standard output", meaning: "the file for the log", ...path }),
  ACCESS_LOG: declare({
    default: "`off`",
    meaning: "`on` writes a line for each answered request, with its id, at the level info",
    ...oneOf("on", "off"),
  }),
  SLOW_STATEMENT_MS: declare({
    default: "`1000`",
    meaning:
      "statements that take longer are logged without their values; 0 logs none, and less than 50 counts as 50",
    ...whole(1000, 0, 60_000),
  }),
  METRICS_TOKEN: declare({
    default: "none",
    meaning:
      "whoever sends it as a bearer token may read `/internal/metrics` from any address; without it only this machine may",
    ...bearerToken,
    isSecret: true,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: declare({
    default: "none",
    meaning: "the collector that traces are sent to, by OTLP over HTTP with JSON",
    ...webAddress,
  }),
  OTEL_EXPORTER_OTLP_HEADERS: declare({
    default: "none",
    meaning: "headers for the collector",
    ...headerList,
    isSecret: true,
  }),
  OTEL_TRACES_SAMPLER_ARG: declare({
    default: "`0.01`",
    meaning:
      "the part of the requests that is traced, of those whose caller sends no `traceparent`; one that does decides by its flag",
    ...ratio(0.01),
  }),
  SMTP_URL: declare({
    default: "none",
    meaning:
      "the mail server for forgotten passwords and notices: [mail](mail.md); without it nobody is mailed",
    ...mailServer,
    isSecret: true,
  }),
  MAIL_FROM: declare({
    default: "`no-reply@` and the host of `PUBLIC_URL`",
    meaning: "the sender of mails",
    ...mailbox,
  }),
  SESSION_IDLE: duration("PT30M", "how long a session lasts without use"),
  SESSION_ABSOLUTE: duration("PT12H", "how long a session lasts at most"),
  ANONYMOUS_TOKEN_TTL: duration("PT1H", "how long an anonymous token counts"),
  ACCESS_TOKEN_TTL: duration("PT15M", "how long a customer's access token counts"),
  REFRESH_IDLE: duration("P30D", "how long a refresh token counts without use"),
  REFRESH_ABSOLUTE: duration("P180D", "how long a customer stays signed in at most"),
  REFRESH_GRACE: duration("PT10S", "how long a refresh token may be sent again after it was used"),
  METRICS_SPOOL_BYTES: declare({
    default: "`67108864`",
    meaning: "how much may wait for a store that is away",
    ...whole(64 * 1024 * 1024, 1, Number.MAX_SAFE_INTEGER),
  }),
  SECURITY_CONTACT: declare({
    default: "none",
    meaning: "whom to tell of a vulnerability: `/.well-known/security.txt`",
    ...contacts,
  }),
  LOGIN_THROTTLE: declare({
    default: "`on`",
    meaning: "`off` for load tests only",
    ...oneOf("on", "off"),
  }),
  RATE_LIMITS: declare({
    default: "`on`",
    meaning:
      "`off` for load tests only; connections and requests in progress per address stay limited",
    ...oneOf("on", "off"),
  }),
};

export type SettingName = keyof typeof settings;
