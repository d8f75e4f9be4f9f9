import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { db } from "@/lib/database/open";
import { provisionedUsers } from "@/lib/database/schema/schema";
import { onServer } from "@/lib/database/testing/databases";
import type { Send } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeUser } from "@/lib/setup/testing/factories";
import { type Call, callerOf, patchOf } from "./provider-client";
import { connect } from "./provisioning-world";

/*
 * Users whose access ends while they sign in, fetch a bearer token, call with a key or create a new one. One second after the response that
 * ended it, none of their credentials, old or new, works on any process, and they cannot obtain another.
 */

type Headers = Record<string, string>;

const together = 50;
const graceMs = 1000;
const password = "correct horse battery";

interface Person {
  tenant: string;
  userId: string;
  login: string;
  session: Headers;
  key: Headers;
}

/** An attempt to use or obtain a credential; returns that credential, or undefined if the attempt failed. */
type Attempt = (who: Person, send: Send) => Promise<Headers | undefined>;

const attempts: Record<string, Attempt> = {
  "sign-in": async ({ tenant, login }, send) => {
    const headers = { "X-Service-Tenant": tenant };
    const body = { login, tenant, password };
    const answer = await send("POST /v1/user/session-login", { headers, body });
    if (answer.status !== 200) return undefined;
    return { ...headers, "X-Service-Session-Id": answer.body.sessionId };
  },
  bearer: async ({ tenant, session }, send) => {
    const answer = await send("POST /v1/user/portal-token", { headers: session });
    if (answer.status !== 200) return undefined;
    return { "X-Service-Tenant": tenant, Authorization: `Bearer ${answer.body.accessToken}` };
  },
  "key call": async ({ key }, send) => {
    const answer = await send("GET /v1/user/profile", { headers: key });
    return answer.status === 200 ? key : undefined;
  },
  "new key": async ({ tenant, session }, send) => {
    const body = { name: "while leaving" };
    const answer = await send("POST /v1/user/profile/api-keys", { headers: session, body });
    if (answer.status !== 201) return undefined;
    return { "X-Service-Tenant": tenant, "X-Service-API-Key": answer.body.apiKey };
  },
};

interface Races {
  tenant: string;
  /** The headers of an administrator. */
  admin: Headers;
  /** The processes. */
  places: readonly [Send, Send];
  random: () => number;
}

/** Retries while the response is 503. */
async function heard(ask: () => ReturnType<Send>): ReturnType<Send> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await pause(1000 * Number(answer.headers.get("retry-after") ?? 1));
  }
}

async function makePerson(tenant: string, connectionId: string): Promise<Person> {
  const { userId, login } = await makeUser(tenant, { roleIds: ["portal.default"], password });
  const said = { externalId: userId, givenName: null, familyName: null, deletedAt: null };
  await db()
    .insert(provisionedUsers)
    .values({
      tenantId: tenant,
      connectionId,
      userId,
      isOwn: true,
      changedAt: new Date(),
      ...said,
    });
  const { headers: session } = await makeSession(tenant, userId);
  const { headers: key } = await makeApiKey(tenant, userId);
  return { tenant, userId, login, session, key };
}

async function race({ admin, places, random }: Races, who: Person, leave: Call) {
  const [there, here] = random() < 0.5 ? places : [places[1], places[0]];
  const names = Object.keys(attempts);
  const name = names[Math.floor(random() * names.length)] ?? "";
  const attempt = attempts[name] as Attempt;
  const gone = patchOf({ op: "Replace", path: "active", value: "False" });
  const lock = { headers: admin, body: { reason: "race" } };
  const end =
    random() < 0.5
      ? () => here(`POST /v1/user/${who.userId}/lock`, lock)
      : () => leave(`PATCH /Users/${who.userId}`, gone);
  const [before, lead] = [await attempts.bearer?.(who, there), random() * 20 - 10];
  const [gained, ended] = await Promise.all([
    pause(Math.max(0, lead)).then(() => attempt(who, there)),
    pause(Math.max(0, -lead)).then(() => heard(end)),
  ]);
  expect(ended.status, ended.text).toBe(200);
  const held = [who.session, who.key, before, gained].filter((one) => one !== undefined);
  return { who, name, attempt, held, endedAt: performance.now() };
}

/** The credentials and attempts of a race that still work, a line for each; expected to be empty. */
async function passes(places: Races["places"], run: Awaited<ReturnType<typeof race>>) {
  const found: string[] = [];
  for (const place of places) {
    if (await run.attempt(run.who, place)) found.push(`${run.name} after the end`);
    for (const headers of run.held) {
      const { status } = await heard(() => place("GET /v1/user/profile", { headers }));
      if (status < 300) found.push(`${run.name}: ${Object.keys(headers).at(-1)}`);
    }
  }
  return found;
}

/** Runs so many races. Answers what passed. */
export async function raceDepartures(count: number, races: Races) {
  const { tenant, admin, places } = races;
  const connection = await connect(places[0], admin);
  const leave = callerOf(places[0], connection);
  const passed: string[] = [];
  for (let done = 0; done < count; done += together) {
    const size = Math.min(together, count - done);
    const people: Person[] = [];
    while (people.length < size) people.push(await makePerson(tenant, connection.id));
    // As autovacuum would: without it the processes keep query plans for empty tables.
    await onServer(process.env.DATABASE_URL ?? "", "analyze users, sessions, api_keys, tenants");
    const runs = await Promise.all(people.map((who) => race(races, who, leave)));
    const last = Math.max(...runs.map(({ endedAt }) => endedAt));
    await pause(Math.max(0, last + graceMs - performance.now()));
    passed.push(...(await Promise.all(runs.map((run) => passes(places, run)))).flat());
  }
  return passed;
}
