import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { webhookDeliveries } from "@/lib/database/schema/schema";
import { noteResponse } from "@/lib/http/testing/observed-responses";
import { testServer } from "@/lib/http/testing/test-server";
import { checkErrors, statusOfCode } from "@/lib/protocol/declared-errors";
import { methodOf } from "@/lib/protocol/endpoint";
import type { ErrorCode } from "@/lib/protocol/error-codes";
import { type NamedOperation, namedOperations } from "./operations";
import { type IsolationWorld, makeIsolationWorld } from "./testing/isolation-world";
import { type Provocation, provocations } from "./testing/provocations";
import { type ProvokingCallers, provokingCallers } from "./testing/provoking-callers";
import { type ValidRequest, validRequests } from "./testing/valid-requests";
import { sendWire, type WireResponse } from "./testing/wire";

/**
 * Every operation and every error that follows from its declaration, except failures of the server or store: a valid request is
 * changed in one respect, and must get that status and code. A declared error that cannot occur fails here.
 */

const send = testServer();
/** Gives up bodies soon. */
const impatient = testServer({ limits: { bodyMs: 300, streamMs: 300, sweepMs: 20 } });
/** A server whose limit for this address is used up. */
/** Its window does not end during the test. */
const tired = testServer({ limits: { anonymousPerMinute: 1, anonymousWindowMs: 3_600_000 } });

let world: IsolationWorld;
let callers: ProvokingCallers;
let validRequest: ValidRequest;

const inTrouble = (status: number) => status === 500 || status === 503;
const declaring = (code: ErrorCode) =>
  namedOperations.filter(({ declared }) => checkErrors(declared).includes(code));
const codes = [...new Set(namedOperations.flatMap(({ declared }) => checkErrors(declared)))].filter(
  (code) => declaring(code).some(({ declared }) => !inTrouble(statusOfCode(declared, code))),
);

/** Mails for it are queued, and never sent in this test. */
const mailServer = "smtp://127.0.0.1:1";

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  process.env.SMTP_URL = mailServer;
  world = await makeIsolationWorld(send);
  callers = await provokingCallers(world);
  validRequest = await validRequests(send, world, callers);
  await insertDelivery();
});
afterAll(() => {
  delete process.env.SMTP_URL;
  delete process.env.RATE_LIMITS;
});

/** A delivery of the world's webhook, under the delivery id that sample requests use. */
async function insertDelivery(): Promise<void> {
  const { tenant: tenantId, webhookId } = world;
  const event = { eventId: webhookId, type: "user.locked", subject: "user/x", body: "{}" };
  const place = { auditSeq: 1, eventSeq: 0, createdAt: new Date() };
  const done = { state: "delivered" as const, attempts: 1, log: [] };
  await db()
    .insert(webhookDeliveries)
    .values({ tenantId, webhookId, ...event, ...place, ...done });
}

/** The response of an operation if it is not the expected code; otherwise undefined. */
async function otherAnswer(
  operation: NamedOperation,
  code: ErrorCode,
  { provoke, url }: { provoke: Provocation | undefined; url: string },
): Promise<string | undefined> {
  const { declared } = operation;
  const name = declared.operation;
  if (!provoke) return `${name}: nothing provokes it`;
  const request = validRequest(operation);
  const sent = await provoke({ declared, request, callers, world });
  const answered: WireResponse = await sendWire(url, sent);
  noteResponse(name, answered.status, answered.code);
  const isRight = answered.code === code && answered.status === statusOfCode(declared, code);
  return isRight ? undefined : `${name}: ${answered.status} ${answered.code}`;
}

async function otherAnswers(code: ErrorCode, url: string): Promise<string[]> {
  const faults: string[] = [];
  const provoke = provocations[code];
  for (const operation of declaring(code)) {
    const fault = await otherAnswer(operation, code, { provoke, url });
    if (fault) faults.push(fault);
  }
  return faults;
}

const apart: ErrorCode[] = [
  "request.body-timed-out",
  "rate-limit.exceeded",
  "signup.closed",
  "mail.off",
  "customer.registration-closed",
  "auth.step-up-required",
];

describe("every operation that declares it responds with", () => {
  test.each(codes.filter((code) => !apart.includes(code)))("%s", async (code) => {
    expect(await otherAnswers(code, send.url())).toEqual([]);
  });

  test("signup.closed, where the setting is off", async () => {
    const { SIGN_UP } = process.env;
    process.env.SIGN_UP = "off";
    try {
      expect(await otherAnswers("signup.closed", send.url())).toEqual([]);
    } finally {
      process.env.SIGN_UP = SIGN_UP;
    }
  });

  test("mail.off, where the setting is empty", async () => {
    delete process.env.SMTP_URL;
    try {
      expect(await otherAnswers("mail.off", send.url())).toEqual([]);
    } finally {
      process.env.SMTP_URL = mailServer;
    }
  });

  test("customer.registration-closed, where the tenant forbids registration", async () => {
    const headers = { ...callers.fine.session, "X-Service-Tenant": world.tenant };
    const set = (customerRegistration: boolean) =>
      send("PUT /v1/tenant/security-policy", { headers, body: { customerRegistration } });
    expect((await set(false)).status).toBe(200);
    expect(await otherAnswers("customer.registration-closed", send.url())).toEqual([]);
    await set(true);
  });

  test("auth.step-up-required, where the authentication is older than the policy allows", async () => {
    const headers = { ...callers.fine.session, "X-Service-Tenant": world.tenant };
    const set = (stepUp: string) =>
      send("PUT /v1/tenant/security-policy", { headers, body: { stepUp } });
    expect((await set("PT15M")).status).toBe(200);
    expect(await otherAnswers("auth.step-up-required", send.url())).toEqual([]);
    await set("auto");
  });

  test("request.body-timed-out, where the body does not arrive", async () => {
    const provoke = provocations["request.body-timed-out"];
    const all = declaring("request.body-timed-out").map((operation) =>
      otherAnswer(operation, "request.body-timed-out", { provoke, url: impatient.url() }),
    );
    expect((await Promise.all(all)).filter((fault) => fault !== undefined)).toEqual([]);
  });

  test("rate-limit.exceeded, once the address sent too much without a valid credential", async () => {
    delete process.env.RATE_LIMITS;
    for (let count = 0; count < 3; count += 1) await tired("GET /v1/nothing");
    expect(await otherAnswers("rate-limit.exceeded", tired.url())).toEqual([]);
    process.env.RATE_LIMITS = "off";
  });
});

test("304: every conditional read, for a caller that sends the current ETag", async () => {
  const faults: string[] = [];
  const reads = namedOperations.filter(
    ({ declared }) => declared.conditional && methodOf(declared) === "GET",
  );
  for (const operation of reads) {
    const { declared } = operation;
    const request = validRequest(operation);
    const provoke = provocations["precondition.failed"];
    const sent = await provoke?.({ declared, request, callers, world });
    if (!sent) continue;
    const headers = { ...sent.headers, "If-Match": undefined, "If-None-Match": "*" };
    const { status } = await sendWire(send.url(), { ...sent, headers });
    if (status !== 304) faults.push(`${declared.operation}: ${status}`);
  }
  expect(faults).toEqual([]);
});
