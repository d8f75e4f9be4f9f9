import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test, vi } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { closeStore } from "@/lib/database/open";
import { startRecording, stopRecording } from "@/lib/features/metrics/recording";
import { type Sent, testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const inspector = new Session();
/** Read here: functions called between two snapshots count as called by the request. */
const root = projectRoot();
const warmUps = 20;
/** Functions called in all of these requests belong to the request itself. */
const samples = 8;
/** The number of samples if more files were called: on a slow machine caches may be read again during each of a few requests. */
const maxSamples = 60;

interface Operation {
  name: string;
  maxFiles: number;
  status: number;
  operation: (n: number) => string;
  sent: (n: number) => Sent;
}

let byKey: Record<string, string>;
let bySession: Record<string, string>;
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();
const metricsQuery = () =>
  new URLSearchParams({
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date().toISOString(),
    group: "domain",
  }).toString();

const operations: Operation[] = [
  {
    name: "list users",
    maxFiles: 48,
    status: 200,
    operation: () => "GET /v1/user/list",
    sent: () => ({ headers: byKey }),
  },
  {
    name: "create an API key",
    maxFiles: 67,
    status: 200,
    operation: () => "POST /v1/user/profile/api-keys",
    sent: (n) => ({ headers: bySession, body: { name: `key ${n}`, validTo: tomorrow() } }),
  },
  {
    name: "update a preview configuration",
    maxFiles: 70,
    status: 200,
    operation: () => "PUT /pim/preview/home/configuration",
    sent: (n) => ({ headers: byKey, body: { version: n } }),
  },
  {
    name: "count calls by domain",
    maxFiles: 56,
    status: 200,
    operation: () => `GET /v1/api-metrics/metrics/timeserie-counts?${metricsQuery()}`,
    sent: () => ({ headers: byKey }),
  },
];

beforeAll(async () => {
  vi.stubEnv("RATE_LIMITS", "off");
  const tenant = await makeTenant();
  const roleIds = ["tenant.admin", "portal.configurations.mgmt", "portal.analytics.mgmt"];
  const { userId } = await makeUser(tenant, { roleIds });
  const site = { "X-Service-Site": "one" };
  byKey = { ...(await makeApiKey(tenant, userId)).headers, ...site };
  bySession = (await makeSession(tenant, userId)).headers;
  const body = { key: "home", configuration: {} };
  expect((await send("POST /pim/preview", { headers: byKey, body })).status).toBe(201);
  // On a slow machine a timer fires in each request, and would count as part of it: neither the recorder's nor the store's ever does.
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
  startRecording();
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["setInterval"] });
  await closeStore();
  inspector.connect();
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return async () => {
    vi.useRealTimers();
    await inspector.post("Profiler.stopPreciseCoverage");
    inspector.disconnect();
    await stopRecording();
  };
});

/** The files with a function called since the previous call of this. */
async function calledFiles(): Promise<string[]> {
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  const files = result.flatMap(({ url, functions }) => {
    const isCalled = functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    const path = url.startsWith("file:") ? fileURLToPath(url) : url;
    const file = relative(root, path);
    const isOurs = /^(app|components|lib|server\.ts)/.test(file);
    return isCalled && isOurs && !/(^|\/)testing\//.test(file) ? [file] : [];
  });
  return [...new Set(files)].sort();
}

test.each(operations)("$name runs at most $maxFiles files", async (wanted) => {
  const { name, maxFiles, status, operation, sent } = wanted;
  for (let n = 0; n < warmUps; n += 1)
    expect((await send(operation(n), sent(n))).status).toBe(status);
  let files: string[] | undefined;
  const isEnough = (n: number) => n >= samples && (files ?? []).length <= maxFiles;
  for (let n = warmUps; n < warmUps + maxSamples && !isEnough(n - warmUps); n += 1) {
    await calledFiles();
    await send(operation(n), sent(n));
    const called = new Set(await calledFiles());
    files = files?.filter((file) => called.has(file)) ?? [...called];
  }
  files ??= [];
  process.stdout.write(`\n${name}: ${files.length} files\n  ${files.join("\n  ")}\n`);
  expect(files.length).toBeGreaterThan(10);
  expect(files.length).toBeLessThanOrEqual(maxFiles);
});
