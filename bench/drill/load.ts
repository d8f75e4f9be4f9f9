import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, ask, type DrillTenant, newKey, signIn, withKey, withSession } from "./world";

/*
 * The load of the drills. For each tenant one caller writes API keys, each with an Idempotency-Key and repeated until it gets a response,
 * and every fourth time a preview configuration. Another one reads a list by key, the session and the preview, and signs in.
 */

export interface Asked {
  tenant: string;
  url: string;
  kind: "create" | "revoke" | "put" | "list" | "session" | "preview" | "sign-in" | "sign-out";
  status: number;
  /** The error code of a rejected request. */
  code: string;
  hasRetryAfter: boolean;
  /** performance.now() */
  from: number;
  to: number;
}

/** The requests of a load, and the writes that the store must contain afterwards. */
export interface Diary {
  asked: Asked[];
  acknowledged: { tenant: string; id: string; name: string }[];
  /** Names of requested keys: none may exist twice. */
  names: { tenant: string; name: string }[];
  /** The last configuration written, by tenant. */
  puts: Map<string, string>;
  /** Responses that no fault explains. */
  odd: string[];
}

export interface Load {
  diary: Diary;
  stop(): Promise<void>;
}

const pauseMilliseconds = Number(process.env.DRILL_PAUSE_MS ?? 150);
const mayRepeat = new Set([0, 409, 500, 502, 503, 504]);
const explained = new Set([0, 200, 201, 204, 503]);

interface Caller {
  diary: Diary;
  nextUrl: () => string;
  isOver: () => boolean;
  given: DrillTenant;
}

type Request = Parameters<typeof ask>[1];

async function timed(caller: Caller, kind: Asked["kind"], request: Request): Promise<Answer> {
  const url = caller.nextUrl();
  const from = performance.now();
  const answer = kind === "sign-in" ? await signIn(url, caller.given) : await ask(url, request);
  caller.diary.asked.push({
    tenant: caller.given.tenant,
    url,
    kind,
    status: answer.status,
    code: String(answer.body.code ?? ""),
    hasRetryAfter: answer.headers.has("retry-after"),
    from,
    to: performance.now(),
  });
  return answer;
}

const idOf = ({ status, body }: Answer): string | undefined => {
  if (status === 200) return String(body.apiKeyId);
  // It was executed, and its response was lost.
  const isDone = status === 409 && body.code === "idempotency.secret-not-replayable";
  return isDone ? String(body.reason) : undefined;
};

/** Creates a key and revokes it: the number of usable keys of a tenant is limited, and a revoked one stays for 30 days. */
async function createKey(caller: Caller): Promise<void> {
  const { diary, given, isOver } = caller;
  const [name, key] = [`w${randomBytes(8).toString("hex")}`, randomBytes(12).toString("hex")];
  const headers = { ...withSession(given), "Idempotency-Key": key };
  const path = "/v1/user/profile/api-keys";
  const body = newKey(name);
  diary.names.push({ tenant: given.tenant, name });
  for (;;) {
    const answer = await timed(caller, "create", { method: "POST", path, headers, body });
    const id = idOf(answer);
    if (id !== undefined) {
      diary.acknowledged.push({ tenant: given.tenant, id, name });
      const gone = { method: "DELETE", path: `${path}/${id}`, headers: withSession(given) };
      return void (await timed(caller, "revoke", gone));
    }
    if (!mayRepeat.has(answer.status)) return note(caller, "create", answer);
    if (isOver()) return;
    await pause(pauseMilliseconds);
  }
}

async function put(caller: Caller): Promise<void> {
  const { diary, given } = caller;
  const value = randomBytes(6).toString("hex");
  const headers = { ...withSession(given), "X-Service-Site": given.site };
  const path = "/pim/preview/home/configuration";
  const answer = await timed(caller, "put", { method: "PUT", path, headers, body: { value } });
  if (answer.status === 200) diary.puts.set(given.tenant, value);
  // It is unknown whether the write was stored.
  else if (answer.status !== 503) diary.puts.delete(given.tenant);
}

function note({ diary, given }: Caller, kind: string, { status, body }: Answer): void {
  diary.odd.push(`${given.tenant} ${kind}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
}

async function keepWriting(caller: Caller): Promise<void> {
  for (let turn = 0; !caller.isOver(); turn += 1) {
    if (turn % 4 === 3) await put(caller);
    else await createKey(caller);
    await pause(pauseMilliseconds);
  }
}

/** Signs in and out again, because a user has at most 20 sessions. */
async function visit(caller: Caller): Promise<Answer> {
  const entered = await timed(caller, "sign-in", { method: "POST", path: "" });
  if (entered.status !== 200) return entered;
  const headers = withSession({ ...caller.given, sessionId: String(entered.body.sessionId) });
  return timed(caller, "sign-out", { method: "DELETE", path: "/v1/user/session", headers });
}

async function keepReading(caller: Caller): Promise<void> {
  const { given } = caller;
  const get = (path: string, headers: Record<string, string>) => ({ method: "GET", path, headers });
  const ofSite = { ...withKey(given), "X-Service-Site": given.site };
  const reads = [
    () => timed(caller, "list", get("/v1/user/list?limit=5", withKey(given))),
    () => timed(caller, "session", get("/v1/user/session", withSession(given))),
    () => timed(caller, "preview", get("/pim/preview/home/configuration", ofSite)),
    () => visit(caller),
  ];
  for (let turn = 0; !caller.isOver(); turn += 1) {
    const answer = await reads[turn % reads.length]?.();
    if (answer && !explained.has(answer.status)) note(caller, "read", answer);
    await pause(pauseMilliseconds);
  }
}

/** Sends requests of all tenants to all instances in turn, until it is stopped. */
export function startLoad(urls: readonly string[], tenants: readonly DrillTenant[]): Load {
  const diary: Diary = { asked: [], acknowledged: [], names: [], puts: new Map(), odd: [] };
  let isOver = false;
  let turn = 0;
  const nextUrl = () => {
    turn += 1;
    return urls[turn % urls.length] ?? "";
  };
  const callers = tenants.map((given) => ({ diary, nextUrl, given, isOver: () => isOver }));
  const working = callers.flatMap((caller) => [keepWriting(caller), keepReading(caller)]);
  return {
    diary,
    async stop() {
      isOver = true;
      await Promise.all(working);
    },
  };
}
