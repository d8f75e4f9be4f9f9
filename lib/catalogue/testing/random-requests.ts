import type { DocumentNode as Schema } from "./document-node";
import { type Operation, sampleRequests } from "./isolation-requests";
import type { IsolationWorld } from "./isolation-world";

export type Random = () => number;

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const kinds = ["valid", "mutated", "wild path", "wrong credential", "odd headers"] as const;
export type Kind = (typeof kinds)[number];

export interface RandomRequest {
  kind: Kind;
  operation: string;
  headers: Record<string, string>;
  /** As text: a mutated body need not be JSON. */
  raw?: string;
}

const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

const junk: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e308, 2 ** 53, "", " ", "\u0000", "\u202e", "x".repeat(5000)],
  ...["2026-02-30T00:00:00Z", "P1Y", "../../etc/passwd", "' or 1=1 --", "{}", "\ud83d\ude00"],
  ...["\u200b", "adm\u200b", "a\ud83db", "x".repeat(300), " x ", "Gru\u0308n", "ｘ１２"],
  ...["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", `2026-01-01T00:00:00.${"9".repeat(30)}Z`],
  ...[[], {}, [[]], { a: { b: { c: 1 } } }, ["x", "x"], Array.from({ length: 300 }, () => "y")],
];

/** A value with one of its fields replaced, removed or added. */
function mutate(value: unknown, random: Random): unknown {
  const isNested = typeof value === "object" && value !== null;
  if (!isNested || random() < 0.15) return pick(random, junk);
  if (Array.isArray(value))
    return value.map((item) => (random() < 0.5 ? mutate(item, random) : item));
  const names = Object.keys(value);
  const name = pick(random, [...names, "surplus", "__proto__", "constructor"]);
  const { [name]: member, ...others } = value as Record<string, unknown>;
  return random() < 0.25 ? others : { ...others, [name]: mutate(member, random) };
}

/** A body as text, occasionally one that is not JSON. */
function bodyText(body: unknown, kind: Kind, random: Random): string {
  if (kind !== "mutated") return JSON.stringify(body);
  const text = JSON.stringify(mutate(body, random)) ?? "";
  if (random() > 0.15) return text;
  const at = Math.floor(random() * text.length);
  return `${text.slice(0, at)}${pick(random, ["", ",", '"', "}", "\u0001", "é"])}${text.slice(at + 1)}`;
}

const wildParts = [
  "x",
  "%00",
  "%F0%9F%98%80",
  "..",
  "constructor",
  "%",
  "a".repeat(300),
  "list",
  "0",
];

function pathOf(path: string, kind: Kind, random: Random): string {
  const [pathname = "", query = ""] = path.split("?");
  if (kind === "wild path") {
    const parts = pathname.split("/");
    parts[2 + Math.floor(random() * (parts.length - 2))] = pick(random, wildParts);
    return `${parts.join("/")}?${query}`;
  }
  if (kind !== "mutated" || random() < 0.5) return `${pathname}?${query}`;
  const parameters = new URLSearchParams(query);
  const name = pick(random, [...parameters.keys(), "limit", "cursor", "from", "sort", "surplus"]);
  parameters.set(name, String(pick(random, junk)));
  return `${pathname}?${parameters}`;
}

const oddHeaders: readonly Record<string, string>[] = [
  { Accept: "text/html" },
  { Accept: "application/problem+json" },
  { "Content-Type": "text/plain" },
  { "Content-Type": "application/merge-patch+json" },
  { "Content-Encoding": "gzip" },
  { "X-Service-Tenant": "" },
  { "X-Service-Tenant": "No Slug" },
  { "X-Service-Site": "unknown-site" },
  { "If-Match": "zzz" },
  { "If-Match": '"other"' },
  { "If-None-Match": "*" },
  { "If-Unmodified-Since": "Sat, 01 Jan 2000 00:00:00 GMT" },
  { "Idempotency-Key": "same" },
  { "Idempotency-Key": "é" },
  { "X-Service-Request-Id": "not an id" },
  { "X-Service-API-Key": "svk_x", "X-Service-Session-Id": "svs_x" },
  { Origin: "https://other.example", "Sec-Fetch-Site": "cross-site" },
];

const wrongCredentials: readonly Record<string, string>[] = [
  {},
  { "X-Service-API-Key": `svk_${"a".repeat(49)}` },
  { "X-Service-Session-Id": `svs_${"b".repeat(43)}` },
  { Authorization: "Bearer eyJhbGciOiJub25lIn0.e30." },
  { Authorization: "Basic eDp5" },
];

export interface Callers {
  world: IsolationWorld;
  components: Record<string, Schema>;
  /** Headers of each kind of caller. */
  credentials: Record<string, Record<string, string>>;
}

const schemeOf: Record<string, string> = {
  Session: "session",
  ApiKey: "apiKey",
  NoChannelPortalAccess: "bearer",
  AnonymousBearerToken: "anonymous",
  LoggedInBearerToken: "customer",
};

/** One request to an operation: valid by the document, or wrong in one respect. */
export function randomRequest(
  operation: Operation,
  { world, components, credentials }: Callers,
  random: Random,
): RandomRequest {
  const kind = random() < 0.45 ? "valid" : pick(random, kinds.slice(1));
  const { path, type, body } = pick(random, sampleRequests(operation, world, world, components));
  const accepted = (operation.declared.security ?? []).flatMap((one) => Object.keys(Object(one)));
  const own =
    accepted.length > 0 ? credentials[schemeOf[pick(random, accepted) as string] ?? ""] : {};
  const headers = {
    "X-Service-Tenant": world.tenant,
    "X-Service-Site": "one",
    ...(operation.name.startsWith("GET") ? {} : { "If-Match": "*" }),
    ...(type === undefined ? {} : { "Content-Type": type }),
    ...(kind === "wrong credential" ? pick(random, wrongCredentials) : own),
    ...(kind === "odd headers" ? pick(random, oddHeaders) : {}),
  };
  const method = operation.name.slice(0, operation.name.indexOf(" "));
  return {
    kind,
    operation: `${method} ${pathOf(path, kind, random)}`,
    headers,
    ...(type === undefined ? {} : { raw: bodyText(body, kind, random) }),
  };
}
