import { afterAll, beforeAll, expect, test } from "vitest";
import { forgetObservedResponses } from "@/lib/http/testing/observed-responses";
import { testServer } from "@/lib/http/testing/test-server";
import type { DocumentNode as Schema } from "./testing/document-node";
import type { Operation } from "./testing/isolation-requests";
import { credentialsOf, makeIsolationWorld } from "./testing/isolation-world";
import { type Callers, randomRequest, seededRandom } from "./testing/random-requests";
import { ResponseSchemas } from "./testing/response-schemas";
import { shownTwice } from "./testing/shown-rows";

/**
 * Seeded requests generated from /openapi.json: valid, mutated, with wild paths, wrong credentials and odd headers.
 * `npm run contract` sends 10,000; the suite sends fewer.
 */
const total = Number(process.env.CONTRACT_REQUESTS ?? 400);
const seed = Number(process.env.CONTRACT_SEED ?? 1);

/** Credentials and objects are created again after this many requests: requests end sessions, and lock and delete objects. */
const perWorld = 120;

const send = testServer();

let document: Schema;
let operations: Operation[];

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  document = (await send("GET /openapi.json")).body;
  operations = Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods)
      .filter(([, declared]) => declared["x-error-codes"])
      .map(([method, declared]) => ({ name: `${method.toUpperCase()} ${path}`, declared })),
  );
});
afterAll(() => {
  delete process.env.RATE_LIMITS;
  forgetObservedResponses();
});

async function callersOf(): Promise<Callers> {
  const world = await makeIsolationWorld(send);
  const credentials = await credentialsOf(send, world, world.tenant);
  return { world, credentials, components: document.components.schemas };
}

test("every response is below 500, declared, and matches its schema; no name in a list is empty or duplicate", {
  timeout: 3_600_000,
}, async () => {
  const schemas = new ResponseSchemas(document);
  const random = seededRandom(seed);
  const faults: string[] = [];
  const refused = new Map<string, number>();
  let callers = await callersOf();
  let before = await shownTwice(callers.world.tenant);
  const lookAtRows = async () => {
    const now = await shownTwice(callers.world.tenant);
    faults.push(...now.filter((one) => !before.includes(one)));
  };
  for (let index = 0; index < total; index += 1) {
    if (index % perWorld === perWorld - 1) {
      await lookAtRows();
      callers = await callersOf();
      before = await shownTwice(callers.world.tenant);
    }
    const operation = operations[Math.floor(random() * operations.length)] as Operation;
    const request = randomRequest(operation, callers, random);
    const told = `${request.kind}: ${request.operation} ${request.raw ?? ""}`.slice(0, 400);
    try {
      const { headers, raw } = request;
      const answered = await send(
        request.operation,
        raw === undefined ? { headers } : { headers, raw },
      );
      if (answered.status >= 500) faults.push(`${told}: ${answered.text}`);
      const [method = "", template = ""] = operation.name.split(" ");
      const problem =
        request.kind === "wild path"
          ? undefined
          : schemas.problemOf(template, method.toLowerCase(), answered);
      if (problem) faults.push(`${told}: ${problem}`);
      if (request.kind === "valid" && answered.status === 400)
        refused.set(operation.name, (refused.get(operation.name) ?? 0) + 1);
    } catch (error) {
      faults.push(`${told}: ${String(error)}`);
    }
  }
  await lookAtRows();
  expect(faults).toEqual([]);
  if (process.env.CONTRACT_REQUESTS)
    process.stdout.write(
      `${total} requests, seed ${seed}; valid by schema and 400: ${JSON.stringify([...refused])}\n`,
    );
});
