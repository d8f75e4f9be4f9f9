/*
 * Creates all examples: the reference's requests and responses, and the collection's requests. A value comes from the example
 * next to its schema, else from the name of its field, else from its format, pattern or type.
 */

/** The source of an example: a JSON Schema, with its named schemas in `components`. */
export type JsonSchema = { [name: string]: unknown };
export type Components = Readonly<Record<string, JsonSchema>>;

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const id = (prefix: string) => `${prefix}_01kb7q2v9xhm4e8s5t6w3y1zcd`;
const sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** Ids of a schema or field start with its kind. */
const idPrefixes: Readonly<Record<string, string>> = {
  ApiKey: "key",
  AuditEvent: "aud",
  CloudEvent: "evt",
  Customer: "cust",
  CustomerDetail: "cust",
  CustomerProfile: "cust",
  Notice: "aud",
};

const slugs: ReadonlySet<string> = new Set(["Site", "Tenant", "OwnTenant", "NewSite", "NewTenant"]);

/** Values of the tenant and users in the guides, by field name. */
const byName: Readonly<Record<string, unknown>> = {
  accessToken: "eyJhbGciOiJFUzI1NiIs...",
  address: "192.0.2.10",
  agent: "curl/8.5.0",
  allowedAddresses: "192.0.2.0/24",
  allowedOrigins: "https://shop.example",
  apiKey: "svk_4Wq...",
  apiKeyId: id("key"),
  apiKeys: id("key"),
  batchId: "search-2026-11-22T09:00",
  credentialId: id("key"),
  current: "the password so far",
  cardNumber: "4242",
  currency: "EUR",
  detail: "A sentence for people.",
  domain: "search",
  emailAddress: "ann@example.com",
  endpoint: "/v1/user/list",
  etag: '"n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"',
  expiresIn: 900,
  expirationMonth: "12",
  expirationYear: "2030",
  fields: "name",
  hash: sha256,
  hint: "x9Qk",
  lastUsedIp: "192.0.2.10",
  lastUsedOperation: "GET /v1/user/list",
  key: "spring",
  limit: 100,
  locale: "en-GB",
  locales: "en-GB",
  login: "ann",
  ms: 12,
  name: "Ann Berg",
  operation: "GET /v1/user/list",
  overlap: "P1D",
  password: "four words in a row",
  path: "/v1/user/list",
  permission: "user.read",
  permissions: "user.read",
  pointer: "/name",
  quantile: "p95",
  reason: "Lost laptop",
  ref: id("sess"),
  refreshToken: "svr_01kb7q...",
  requestId: "5f0c7f4e-2f4b-4c36-9a55-0b7f3f1c2d11",
  role: "portal.users.mgmt",
  roleIds: "portal.users.mgmt",
  roles: "portal.users.mgmt",
  sessionId: "svs_7Tq...",
  site: "eu-store",
  siteId: "eu-store",
  siteIds: "eu-store",
  sites: "eu-store",
  status: 200,
  subject: id("user"),
  subjectId: id("key"),
  tenant: "demo",
  timeZone: "Europe/Berlin",
  title: "Spring",
  token: "one-time-token",
  type: "user",
  url: "https://gatehouse.example/invite/demo#one-time-token",
  user: id("user"),
  userId: id("user"),
  window: "PT1M",
};

const byFormat: Readonly<Record<string, string>> = {
  date: "1990-01-31",
  duration: "PT1H",
  email: "ann@example.com",
};

/** For fields of requests, the days from the start of today to their instants; other fields are in the future. */
const daysAhead: Readonly<Record<string, number>> = {
  from: -1,
  to: 0,
  time: 0,
  lastUsedAt: 0,
  at: 1,
};
const dayMs = 86_400_000;

/** Today's example is the same all day, and is neither too old for a query nor too far in the future. */
const exampleInstant = (field: string): string => {
  const today = Math.floor(Date.now() / dayMs);
  return new Date((today + (daysAhead[field] ?? 30)) * dayMs).toISOString();
};

/** Tried in this order if neither name nor format decides: the first that matches the pattern and the length. */
const plainTexts = [
  ...["text", "PT1H", "P30D", "en", "EUR", "DE", "https://shop.example", "GET", "1"],
  "four words in a row",
];

const mapKeys: Readonly<Record<string, string>> = { userRoles: "demo", sites: "eu-store" };

/** The reader's tenant and site for request examples. */
export interface Reader {
  tenant: string;
  site: string;
}

const ofReader = ({ tenant, site }: Reader): Readonly<Record<string, string>> => ({
  ...{ tenant, site, siteId: site, siteIds: site, sites: site },
});

interface Place {
  /** The name of the field, "" at the root. */
  field: string;
  /** The name of the nearest schema that has one. */
  schema: string;
  depth: number;
}

function exampleText(schema: JsonSchema, { field, schema: of }: Place, named: unknown): string {
  const { format, pattern, minLength = 0 } = schema;
  if (format === "date-time") return exampleInstant(field);
  const formatted = typeof format === "string" ? byFormat[format] : undefined;
  if (formatted !== undefined) return formatted;
  if (field === "id") return slugs.has(of) ? "eu-store" : id(idPrefixes[of] ?? "user");
  if (typeof named === "string") return named;
  if (typeof named === "number" && pattern !== undefined) return String(named);
  const isMatch = (text: string) =>
    text.length >= Number(minLength) &&
    (typeof pattern !== "string" || new RegExp(pattern, "u").test(text));
  return plainTexts.find(isMatch) ?? "text".padEnd(Number(minLength), "-");
}

function exampleNumber({ minimum }: JsonSchema, named: unknown): number {
  if (typeof named === "number") return named;
  // The least number that a format can represent says nothing about the field's meaning.
  const least = typeof minimum === "number" ? minimum : 1;
  return Number.isSafeInteger(least - 1) ? least : 1;
}

interface Wanted {
  /** All fields of objects, as in a response; else only the required ones, as in a request. */
  isWhole: boolean;
  /** The reader whose tenant and site are used. */
  reader?: Reader;
}

/** Creates an example of a schema; `field` is the name of the field with the schema. */
export function exampleMaker(components: Components, { isWhole, reader }: Wanted) {
  const names = reader ? { ...byName, ...ofReader(reader) } : byName;
  const object = (schema: JsonSchema, place: Place): unknown => {
    const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
    const fields = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
    const shown = fields.filter(([name]) => isWhole || required.includes(name));
    const chosen = shown.length > 0 || isWhole ? shown : fields.slice(0, 1);
    const own = chosen.map(([name, field]) => [
      name,
      make(field, { ...place, field: name, depth: place.depth + 1 }),
    ]);
    const rest = isSchema(schema.additionalProperties) && fields.length === 0;
    const key = mapKeys[place.field] ?? "name";
    return Object.fromEntries(
      rest
        ? [[key, make(schema.additionalProperties, { ...place, depth: place.depth + 1 })]]
        : own.filter(([, value]) => value !== undefined),
    );
  };
  const typed = (schema: JsonSchema, place: Place): unknown => {
    const [type] = [schema.type].flat();
    if (type === "array") return [make(schema.items, { ...place, depth: place.depth + 1 })];
    if (type === "object" || isSchema(schema.properties)) return object(schema, place);
    if (type === "boolean") return true;
    if (type === "null") return null;
    if (type !== "integer" && type !== "number")
      return type === undefined ? {} : exampleText(schema, place, names[place.field]);
    return exampleNumber(schema, names[place.field]);
  };
  const make = (given: unknown, place: Place): unknown => {
    if (!isSchema(given) || place.depth > 16) return undefined;
    if (typeof given.$ref === "string") {
      const name = given.$ref.slice(given.$ref.lastIndexOf("/") + 1);
      return make(components[name], { ...place, schema: name, depth: place.depth + 1 });
    }
    if (given.example !== undefined) return given.example;
    if (given.const !== undefined) return given.const;
    if (given.default !== undefined && !isWhole) return given.default;
    if (Array.isArray(given.enum)) {
      const named = names[place.field];
      return given.enum.includes(named) ? named : given.enum[0];
    }
    // In addition to a type, `allOf` has further patterns for it.
    const all = given.type === undefined ? given.allOf : undefined;
    const choices: unknown = given.anyOf ?? given.oneOf ?? all;
    return Array.isArray(choices) ? make(choices[0], place) : typed(given, place);
  };
  return (schema: unknown, field = "") => make(schema, { field, schema: "", depth: 0 });
}
