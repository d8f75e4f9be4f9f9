import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

interface Field {
  key: string;
  value: string;
  disabled?: boolean;
}

interface Item {
  name: string;
  request: {
    method: string;
    header: Field[];
    url: { raw: string; path: string[]; query?: Field[]; variable: Field[] };
    body?: { mode: string; raw?: string; urlencoded?: Field[] };
  };
}

interface Collection {
  info: { schema: string };
  variable: Field[];
  item: { name: string; item: Item[] }[];
}

const send = testServer();
let collection: Collection;
let items: Item[];

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  collection = (await send("GET /docs/collection.json")).body;
  items = collection.item.flatMap(({ item }) => item);
  return () => delete process.env.RATE_LIMITS;
});

const operationOf = ({ request }: Item) =>
  `${request.method} /${request.url.path.map((part) => part.replace(/^:(.*)/, "{$1}")).join("/")}`;

test("200: a Postman v2.1 collection with CORS for every origin", async () => {
  const { status, headers } = await send("GET /docs/collection.json");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("etag")).toMatch(/^"/);
  expect(collection.info.schema).toContain("/collection/v2.1.0/");
});

test("it holds each operation of the OpenAPI document once", async () => {
  const { paths } = (await send("GET /openapi.json")).body;
  const declared = Object.entries<Record<string, { tags: string[] }>>(paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, { tags }]) =>
        tags.includes("Documents") ? [] : [`${method.toUpperCase()} ${path}`],
      ),
  );
  expect(declared.length).toBeGreaterThan(100);
  expect(items.map(operationOf).toSorted()).toEqual(declared.toSorted());
});

test("every variable that a request uses is declared, and no secret has a value", () => {
  const declared = new Map(collection.variable.map(({ key, value }) => [key, value]));
  const used = [...JSON.stringify(items).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
  for (const name of new Set(used)) expect([...declared.keys()]).toContain(name);
  for (const [name, value] of declared) expect(value, name).toBe(name === "url" ? value : "");
});

test("every example body is accepted by the schema of its operation", async () => {
  const document = (await send("GET /openapi.json")).body;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "openapi");
  const problems = items.flatMap((item) => {
    const { method, body, header } = item.request;
    if (body === undefined) return [];
    const type = header.find(({ key }) => key === "Content-Type")?.value ?? "";
    const path = operationOf(item).split(" ")[1] ?? "";
    const steps = ["paths", path, method.toLowerCase(), "requestBody", "content", type, "schema"];
    const pointer = steps.map((step) => step.replaceAll("~", "~0").replaceAll("/", "~1"));
    const validate = ajv.getSchema(`openapi#/${pointer.map(encodeURIComponent).join("/")}`);
    const filled = body.raw?.replace(/\{\{\w+\}\}/g, "one");
    const value = filled === undefined ? formOf(body.urlencoded) : JSON.parse(filled);
    return validate?.(value) ? [] : [`${operationOf(item)}: ${ajv.errorsText(validate?.errors)}`];
  });
  expect(problems).toEqual([]);
});

const formOf = (fields: Field[] = []) =>
  Object.fromEntries(fields.map(({ key, value }) => [key, value]));

/** Sends a request of the collection as Postman does: with variables filled in and without disabled parameters. */
async function run(operation: string, values: Record<string, string>) {
  const item = items.find((one) => operationOf(one) === operation);
  if (!item) throw new Error(`${operation} is not in the collection`);
  const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? "");
  const { method, header, url, body } = item.request;
  const path = new URL(filled(url.raw)).href.slice(send.url().length);
  const headers = header.filter(({ disabled }) => !disabled);
  return send(`${method} ${path}`, {
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, filled(value)])),
    ...(body?.raw !== undefined && { raw: filled(body.raw) }),
  });
}

test("no value is an object written as text, and an object parameter has one entry for each field", () => {
  const values = items.flatMap(({ request: { url, body } }) => [
    ...(url.query ?? []).map(({ value }) => value),
    ...url.variable.map(({ value }) => value),
    ...(body?.urlencoded ?? []).map(({ value }) => value),
  ]);
  expect(values.filter((value) => value.includes("[object"))).toEqual([]);
  const metrics = items.find(
    (item) => operationOf(item) === "GET /v1/api-metrics/metrics/timeserie-counts",
  );
  const periods = (metrics?.request.url.query ?? []).filter(({ key }) => key.startsWith("period"));
  expect(periods.map(({ key }) => key)).toContain("period[timeZone]");
});

test("a sign-in of the collection uses the tenant variable", async () => {
  const tenant = await makeTenant();
  const item = items.find((one) => operationOf(one) === "POST /v1/user/session-login");
  expect(JSON.parse(item?.request.body?.raw ?? "{}").tenant).toBe("{{tenant}}");
  const values = { url: send.url(), tenant, site: "one" };
  // The example's login belongs to no user, so 401 is expected; 400 would mean an invalid request.
  expect((await run("POST /v1/user/session-login", values)).status).toBe(401);
});

test("requests of the collection work once tenant and key are filled in", async () => {
  const tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { apiKey } = await makeApiKey(tenant, userId);
  const values = { url: send.url(), tenant, apiKey, site: "one" };
  for (const operation of [
    "GET /v1/user/list",
    "GET /v1/user/profile",
    "GET /v1/audit/events",
    "GET /pim/preview",
    "POST /pim/preview/validate",
    "POST /v1/customer/login/anonymous-token",
  ]) {
    const { status, text } = await run(operation, values);
    expect(status, `${operation}: ${text}`).toBe(200);
  }
});
