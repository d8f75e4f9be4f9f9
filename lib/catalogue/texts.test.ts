import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseLine } from "@/lib/features/customers/imports/line";
import { testServer } from "@/lib/http/testing/test-server";
import { shownTwice } from "./testing/shown-rows";
import {
  importedLine,
  type TextMember,
  type TextOperation,
  without,
  withTexts,
} from "./testing/text-requests";
import { openTextWorld, type TextWorld } from "./testing/text-world";

/**
 * Tests the rule of text, from /openapi.json: sends texts that must be rejected in each field of each body and each parameter of each
 * query and path; `reason` must name the field. Texts that are unusual but allowed must never cause a 5xx.
 */

const send = testServer();

const forbidden = {
  "a NUL": "a\0b",
  "half of a surrogate pair": "a\ud83db",
  "a change of direction": "a\u202eb",
};

const odd = {
  "nothing to see": "\u200b",
  "300 code points": "x".repeat(300),
  "white space around": " x ",
  "decomposed letters": "Gru\u0308n",
  "full-width digits": "ｘ１２",
  "an emoji": "👩\u200d💻 ok",
};

/** Only these may contain what the rule forbids: bytes stored for the caller, and texts that are compared and never shown. */
const exempt = [
  "POST /v1/user/session-login /password secret",
  "POST /v1/user/session/step-up /password secret",
  "PUT /v1/user/password /current secret",
  "PUT /v1/user/password /password secret",
  "POST /v1/user/invitations/accept /password secret",
  "POST /v1/user/password-resets/confirm /password secret",
  "POST /v1/signup /password secret",
  "POST /v1/customer/registration /password secret",
  "POST /v1/customer/login/token /password secret",
  "POST /v1/customer/password /current secret",
  "POST /v1/customer/password /password secret",
  "POST /v1/customer/password-resets/confirm /password secret",
  "PUT /pim/preview/{key}/configuration  bytes",
  "POST /pim/preview /configuration bytes",
  "POST /pim/preview/validate  bytes",
];

let world: TextWorld;
let lines: ReturnType<typeof importedLine>;

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  process.env.SMTP_URL = "smtp://127.0.0.1:9";
  world = await openTextWorld(send);
  const importing = world.declared.find(({ name }) => name === "POST /v1/customers/imports");
  if (!importing) throw new Error("There is no import of customers.");
  lines = importedLine(importing, world.components);
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
  delete process.env.SMTP_URL;
});

type Answer = Awaited<ReturnType<TextWorld["ask"]>>;

const reasonsOf = ({ body }: Answer): string[] => String(body?.reason ?? "").split(",");

const kindOf = ({ schema }: TextMember) => schema["x-text"] ?? "line";

/** Fewer than the maximum of problems in an error. */
const atOnce = 40;

const chunksOf = <Item>(items: Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / atOnce) }, (_, index) =>
    items.slice(index * atOnce, (index + 1) * atOnce),
  );

/** Percent-encoded as by a client without Unicode support: each UTF-16 unit as three bytes. */
const escaped = (text: string) =>
  [...text].map((one) => (one === "\ud83d" ? "%ED%A0%BD" : encodeURIComponent(one))).join("");

const pathWith = ({ template }: TextOperation, text: string) =>
  template.replace(/\{\w+\}/g, escaped(text));

const queryWith = (query: TextMember[], text: string) =>
  query.map(({ path }) => `${path[0]}=${escaped(text)}`).join("&");

test("only passwords and configurations are exempt from the rule of text", () => {
  const loose = world
    .operations()
    .flatMap(({ name, members, bytes }) => [
      ...members
        .filter((one) => kindOf(one) === "secret")
        .map(({ pointer }) => `${name} ${pointer} secret`),
      ...bytes.map((pointer) => `${name} ${pointer} bytes`),
    ]);
  expect(loose.toSorted()).toEqual(exempt.toSorted());
});

describe.each(Object.entries(forbidden))("400 for %s", (name, text) => {
  const isPair = name.includes("surrogate");
  const isNul = name.includes("NUL");

  test("in each field of each body", { timeout: 900_000 }, async () => {
    const faults: string[] = [];
    for (const operation of world.operations()) {
      const rejected = operation.members.filter((one) => isNul || kindOf(one) !== "secret");
      for (const chunk of chunksOf(rejected)) {
        const paths = chunk.map(({ path }) => path);
        const answer = await world.ask(operation, { body: withTexts(operation.body, paths, text) });
        const reasons = reasonsOf(answer);
        const missed = chunk.map(({ pointer }) => pointer).filter((one) => !reasons.includes(one));
        const isNamed = isPair ? missed.length < chunk.length : missed.length === 0;
        if (answer.status !== 400 || !isNamed)
          faults.push(`${operation.name}: ${answer.status} ${answer.text} without ${missed}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test("in each parameter of each query and path", { timeout: 900_000 }, async () => {
    const faults: string[] = [];
    for (const operation of world.operations()) {
      const { query, variables } = operation;
      const requests = [
        { named: query, asked: { query: queryWith(query, text) } },
        { named: variables, asked: { path: pathWith(operation, text) } },
      ];
      for (const { named, asked } of requests.filter((one) => one.named.length > 0)) {
        const answer = await world.ask(operation, asked);
        const reasons = reasonsOf(answer);
        const missed = named.filter(({ pointer }) => !reasons.includes(pointer));
        const isNamed = isPair ? answer.body?.code === "request.malformed" : missed.length === 0;
        if (answer.status !== 400 || !isNamed)
          faults.push(`${operation.name}: ${answer.status} ${answer.text}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test("in each field of a line of an import", () => {
    const rules = { siteId: "one", siteIds: new Set(["one"]), now: new Date(), maxHashCost: 4 };
    for (const { path, pointer } of lines.members) {
      const bytes = Buffer.from(JSON.stringify(withTexts(lines.line, [path], text)));
      const outcome = parseLine({ line: 1, bytes }, rules);
      expect(outcome, pointer).toMatchObject({ pointer });
    }
  });
});

/** Sends the accepted texts: those that a response rejects by name are replaced by their sample, or omitted. */
async function askUntilAccepted(operation: TextOperation, text: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  const paths = new Map(operation.members.map(({ pointer, path }) => [pointer, path]));
  let sample = operation.body;
  for (let round = 0; round < 8; round += 1) {
    const body = withTexts(sample, [...paths.values()], text);
    const answer = await world.ask(operation, { body });
    answers.push(answer);
    if (answer.status !== 400) break;
    for (const pointer of reasonsOf(answer)) {
      if (paths.delete(pointer)) continue;
      sample = without(sample, pointer);
      for (const known of paths.keys()) if (known.startsWith(`${pointer}`)) paths.delete(known);
    }
  }
  return answers;
}

describe.each(Object.entries(odd))("%s", (name, text) => {
  test("is accepted or rejected by name, in each body, query and path", {
    timeout: 900_000,
  }, async () => {
    await world.renew();
    const before = await shownTwice(world.tenant());
    const faults: string[] = [];
    for (const operation of world.operations()) {
      const { members, query, variables } = operation;
      const bodies = members.length > 0 ? await askUntilAccepted(operation, text) : [];
      const others = [
        ...(query.length > 0
          ? [await world.ask(operation, { query: queryWith(query, text) })]
          : []),
        ...(variables.length > 0
          ? [await world.ask(operation, { path: pathWith(operation, text) })]
          : []),
      ];
      for (const answer of [...bodies, ...others])
        if (answer.status >= 500) faults.push(`${operation.name}: ${answer.status} ${answer.text}`);
      const labels = members.filter(
        (one) =>
          one.schema.minLength === 1 &&
          (one.schema.maxLength ?? 0) <= 200 &&
          /\/(?:name|login|title)$/.test(one.pointer),
      );
      const [first] = bodies;
      const seen = first?.status === 400 ? reasonsOf(first) : [];
      for (const { pointer } of name === "nothing to see" ? labels : [])
        if (!seen.includes(pointer)) faults.push(`${operation.name}: takes an empty ${pointer}`);
    }
    expect(faults).toEqual([]);
    expect(await shownTwice(world.tenant())).toEqual(before);
  });
});
