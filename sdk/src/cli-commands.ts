import { configFile, deleteConfig, loadConfig, UsageError, writeConfig } from "./cli-config.js";
import type { Output } from "./cli-output.js";
import { createClient, type Gatehouse } from "./client.js";
import type { Input } from "./methods.js";

/** The input of a command. */
export interface Invocation {
  /** The options that were given, without their dashes. */
  options: Readonly<Record<string, string | undefined>>;
  environment: Readonly<Record<string, string | undefined>>;
  output: Output;
  readSecret: (question: string) => Promise<string>;
  signal: AbortSignal;
}

interface Command {
  usage: string;
  summary: string;
  /** The options that it takes, apart from --output. */
  options: readonly string[];
  run: (invocation: Invocation) => Promise<void>;
}

function required({ options }: Invocation, name: string): string {
  const value = options[name];
  if (!value) throw new UsageError(`--${name} is missing.`);
  return value;
}

const clientOf = async ({ environment, options }: Invocation): Promise<Gatehouse> => {
  const config = await loadConfig(environment);
  return createClient({ ...config, site: options.site ?? config.site });
};

/** A list in one option: "a,b". */
const listed = (text: string | undefined) => text?.split(",").filter((one) => one !== "");

/** Leaves out undefined values. */
const given = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const maxRows = 10_000;

async function login(invocation: Invocation): Promise<void> {
  const { options, environment, readSecret, output } = invocation;
  const url = required(invocation, "url");
  const tenant = required(invocation, "tenant");
  const place = { url, tenant, site: options.site };
  const name = options.login;
  if (name === undefined) {
    const apiKey = (await readSecret("API key: ")).trim();
    const user = await createClient({ ...place, apiKey }).account.getProfile();
    await writeConfig(configFile(environment), { ...place, apiKey });
    return output.fields({ tenant, login: user.login, credential: "API key" });
  }
  const password = await readSecret("Password: ");
  const body = { login: name, tenant, password };
  const { sessionId } = await createClient(place).sessions.login({ body });
  await writeConfig(configFile(environment), { ...place, sessionId });
  output.fields({ tenant, login: name, credential: "session" });
}

async function logout({ environment, output }: Invocation): Promise<void> {
  const config = await loadConfig(environment);
  if (config.sessionId) await createClient(config).sessions.endCurrent();
  await deleteConfig(configFile(environment));
  output.fields({ tenant: config.tenant, credential: "none" });
}

async function listUsers(invocation: Invocation): Promise<void> {
  const { q, role, sort } = invocation.options;
  const query = given({ q, role, sort, fields: "+state" }) as Input<"GET /v1/user/list">;
  const users = await (await clientOf(invocation)).users.list(query).toArray(maxRows);
  invocation.output.rows(users as object[] as Record<string, unknown>[], [
    "id",
    "login",
    "name",
    "emailAddress",
    "state",
    "lock",
  ]);
}

/** An instant, or a number of days from now: "30d". */
function instantOf(text: string, direction: 1 | -1): string {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  const time = days ? Date.now() + direction * Number(days) * 86_400_000 : Date.parse(text);
  if (Number.isNaN(time))
    throw new UsageError(`"${text}" is neither an instant nor days such as 30d.`);
  return new Date(time).toISOString();
}

async function createKey(invocation: Invocation): Promise<void> {
  const { permissions, sites } = invocation.options;
  const name = required(invocation, "name");
  const validTo = instantOf(invocation.options["valid-to"] ?? "90d", 1);
  const restrictions = given({ permissions: listed(permissions), sites: listed(sites) });
  const body = { name, validTo, ...restrictions };
  invocation.output.fields({ ...(await (await clientOf(invocation)).keys.create({ body })) });
}

async function listKeys(invocation: Invocation): Promise<void> {
  const keys = await (await clientOf(invocation)).keys.list().toArray(maxRows);
  const columns = ["apiKeyId", "name", "hint", "status", "validTo", "lastUsedAt"];
  invocation.output.rows(
    keys.map((key) => ({ ...key })),
    columns,
  );
}

async function showMetrics(invocation: Invocation): Promise<void> {
  const { from = "1d", to, group, period } = invocation.options;
  const gatehouse = await clientOf(invocation);
  const input = {
    from: instantOf(from, -1),
    to: to ? instantOf(to, -1) : new Date().toISOString(),
    ...given({ group: listed(group), period }),
  } as Input<"GET /v1/api-metrics/metrics/timeserie-counts">;
  const { times, series } = await gatehouse.metrics.countCalls(input);
  const names = [...new Set(series.flatMap(({ groups }) => Object.keys(groups)))];
  const rows = series.flatMap(({ groups, values }) =>
    times.map((time, index) => ({ time, ...groups, count: values[index] ?? 0 })),
  );
  invocation.output.rows(rows, ["time", ...names, "count"]);
}

async function tailEvents(invocation: Invocation): Promise<void> {
  const { options, signal, output } = invocation;
  const gatehouse = await clientOf(invocation);
  for await (const event of gatehouse.followEvents({ ...options, signal }))
    output.line({ ...event }, ["time", "id", "type", "subject"]);
}

async function explain(invocation: Invocation): Promise<void> {
  const { user, key, operation, permission, site } = invocation.options;
  const question = given({ userId: user, apiKeyId: key, operation, permission, site });
  const body = question as Input<"POST /v1/access/explain">["body"];
  const { allowed, because, missing, blockedBy } = await (
    await clientOf(invocation)
  ).access.explain({ body });
  const reasons = [
    ...because.map(({ detail }) => ({ kind: "because", detail })),
    ...missing.map((detail) => ({ kind: "missing", detail })),
    ...blockedBy.map(({ code, detail }) => ({ kind: "blocked by", detail: `${code}: ${detail}` })),
  ];
  invocation.output.rows([{ kind: "allowed", detail: allowed }, ...reasons], ["kind", "detail"]);
}

export const commands: Readonly<Record<string, Command>> = {
  login: {
    usage: "login --url URL --tenant TENANT [--site SITE] [--login LOGIN]",
    summary: "Sign in with a password, or without --login with an API key; asks for it",
    options: ["url", "tenant", "site", "login"],
    run: login,
  },
  logout: { usage: "logout", summary: "End the session and forget it", options: [], run: logout },
  "users list": {
    usage: "users list [--q TEXT] [--role ROLE] [--site SITE] [--sort FIELD]",
    summary: "List the users of the tenant",
    options: ["q", "role", "site", "sort"],
    run: listUsers,
  },
  "keys list": { usage: "keys list", summary: "List your API keys", options: [], run: listKeys },
  "keys create": {
    usage: "keys create --name NAME [--valid-to 90d] [--permissions A,B] [--sites A,B]",
    summary: "Create an API key and print it: the only time it is shown",
    options: ["name", "valid-to", "permissions", "sites"],
    run: createKey,
  },
  metrics: {
    usage: "metrics [--from 1d] [--to INSTANT] [--group A,B] [--period PERIOD] [--site SITE]",
    summary: "Count calls over time",
    options: ["from", "to", "group", "period", "site"],
    run: showMetrics,
  },
  "events tail": {
    usage: "events tail [--after EVENT] [--type 'user.*'] [--site SITE]",
    summary: "Print events as they happen",
    options: ["after", "type", "site"],
    run: tailEvents,
  },
  explain: {
    usage:
      "explain (--user ID | --key ID) (--operation 'GET /v1/user/list' | --permission P) [--site SITE]",
    summary: "Say why somebody may or may not do something",
    options: ["user", "key", "operation", "permission", "site"],
    run: explain,
  },
};
