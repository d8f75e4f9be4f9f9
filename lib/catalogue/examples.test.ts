import { afterAll, beforeAll, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { pathOf } from "@/lib/protocol/endpoint";
import { collection } from "./collection";
import { namedOperations, slugOf } from "./operations";
import { findOperationDetails } from "./reference/operation-details";
import type { TextOperation } from "./testing/text-requests";
import { openTextWorld, type TextWorld } from "./testing/text-world";

/**
 * Sends every request of the collection and every example of the reference in a separate tenant, with permission: the response is
 * never 400, which would mean an invalid example, and never 5xx.
 */

const send = testServer();
let world: TextWorld;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  process.env.SMTP_URL = "smtp://127.0.0.1:9";
  world = await openTextWorld(send);
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
  delete process.env.SMTP_URL;
});

const items = collection(namedOperations, "http://localhost").item.flatMap(({ item }) => item);

type Item = (typeof items)[number];

const nameOf = ({ request }: Item) =>
  `${request.method} /${request.url.path.map((part) => part.replace(/^:(.*)/, "{$1}")).join("/")}`;

/** Headers that identify the caller come from the world; the other headers of an example are sent. */
const isOfCaller = (name: string) => /^(?:X-Service-|Authorization$)/.test(name);

const ofOthers = (headers: readonly (readonly [string, string])[]) =>
  Object.fromEntries(headers.filter(([name]) => !isOfCaller(name)));

/** Fills in the variables as Postman does, and ids of the tenant in the path. */
function filled(text: string): string {
  const values: Record<string, string> = { tenant: world.tenant(), site: "one" };
  return text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? name);
}

function bodyOf({ request: { body } }: Item): unknown {
  if (body === undefined) return undefined;
  if ("urlencoded" in body)
    return Object.fromEntries(
      body.urlencoded.map(({ key, value }) => [key, filled(String(value))]),
    );
  return JSON.parse(filled(body.raw));
}

/** Requests that end a resource run last, so that the others can use it. */
const inOrder = () =>
  world
    .operations()
    .toSorted((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"));

type Answer = Awaited<ReturnType<TextWorld["ask"]>>;

/** Examples have no valid password, code or passkey, and nothing signed by a provider. */
const isOfPassword = (name: string, { body }: Answer) =>
  ["/current", "/passkey"].includes(body?.reason) ||
  body?.code === "sign-out.token-invalid" ||
  name === "POST /v1/user/session/step-up";

/** It takes a user or a key, and its example has a user. */
const exclusive = ["GET /v1/access/last-use apiKeyId"];

const faultOf = ({ name }: TextOperation, told: string, answer: Answer): string[] =>
  (answer.status === 400 && !isOfPassword(name, answer)) || answer.status >= 500
    ? [`${name} ${told}: ${answer.status} ${answer.text}`]
    : [];

/** Each optional parameter separately; the fields of an object parameter together. */
function optionalOf({ request: { url } }: Item, operation: string): string[] {
  const pairs = (url.query ?? [])
    .filter((one) => "disabled" in one && one.value !== "")
    .filter(({ key }) => !exclusive.includes(`${operation} ${key}`))
    .map(({ key, value }) => ({
      name: key.split("[")[0],
      pair: `${key}=${encodeURIComponent(filled(value))}`,
    }));
  return [...new Set(pairs.map(({ name }) => name))].map((name) =>
    pairs.flatMap((one) => (one.name === name ? [one.pair] : [])).join("&"),
  );
}

test("no request of the collection is rejected for its values", { timeout: 900_000 }, async () => {
  const faults: string[] = [];
  for (const operation of inOrder()) {
    const item = items.find((one) => nameOf(one) === operation.name);
    if (!item) throw new Error(`${operation.name} is not in the collection`);
    const { url, header } = item.request;
    const headers = ofOthers(
      header.filter((one) => !("disabled" in one)).map(({ key, value }) => [key, value]),
    );
    const body = bodyOf(item);
    const [, raw = ""] = url.raw.split("?");
    const base = filled(raw);
    const more = optionalOf(item, operation.name).map((one) => `${base}&${one}`);
    for (const query of [base, ...more]) {
      const answer = await world.ask(operation, { query, body, headers });
      faults.push(...faultOf(operation, query, answer));
    }
  }
  expect(faults).toEqual([]);
  expect(items).toHaveLength(namedOperations.length);
});

test("no example of the reference is rejected for its values", { timeout: 900_000 }, async () => {
  await world.renew();
  const reader = { tenant: world.tenant(), site: "one" };
  const requests = new Map(
    namedOperations.map(({ declared }) => [
      declared.operation as string,
      findOperationDetails(slugOf(declared), reader)?.request,
    ]),
  );
  const faults: string[] = [];
  for (const operation of inOrder()) {
    const request = requests.get(operation.name);
    if (!request) throw new Error(`${operation.name} has no example`);
    const [, query = ""] = request.url.split("?");
    const headers = ofOthers(request.headers.filter(([, value]) => !value.includes("$")));
    const answer = await world.ask(operation, { query, body: request.body, headers });
    faults.push(...faultOf(operation, query, answer));
  }
  expect(faults).toEqual([]);
});

/** Each value in the examples, with its path. */
function* valuesIn(value: unknown, at: string): Generator<[at: string, value: unknown]> {
  if (typeof value !== "object" || value === null) return void (yield [at, value]);
  for (const [name, inner] of Object.entries(value)) yield* valuesIn(inner, `${at}/${name}`);
}

test("no example has an object as text, an impossible number or a missing value", () => {
  const reader = { tenant: "demo", site: "eu-store" };
  const odd = namedOperations.flatMap(({ id, declared }) => {
    const details = findOperationDetails(slugOf(declared), reader);
    const shown = { body: details?.body?.example, answer: details?.answer?.example };
    const item = items.find((one) => nameOf(one) === declared.operation);
    const all = { ...shown, url: details?.request.url, collected: item?.request };
    return [...valuesIn(all, id)]
      .filter(([, value]) =>
        typeof value === "number"
          ? value < 0 || value > 1e12
          : /\[object|\bundefined\b|\bNaN\b/.test(String(value ?? "")),
      )
      .map(([at, value]) => `${at}: ${String(value)}`);
  });
  expect(odd).toEqual([]);
});

test("no two parameters of an operation have the same description, and none has a wrong one", () => {
  const reader = { tenant: "demo", site: "eu-store" };
  const parts = namedOperations.flatMap(({ declared }) => {
    const parameters = findOperationDetails(slugOf(declared), reader)?.parameters ?? [];
    return parameters.map(({ name, description }) => ({ at: pathOf(declared), name, description }));
  });
  const twins = parts.filter(({ at, name, description }) =>
    parts.some((one) => one.at === at && one.name !== name && one.description === description),
  );
  expect(twins).toEqual([]);
  const of = (name: string) => parts.filter((one) => one.name === name);
  expect(of("from").length).toBeGreaterThan(5);
  const ends = new Set(of("to").map(({ description }) => description));
  expect(of("from").filter(({ description }) => ends.has(description))).toEqual([]);
});
