import type { ChildProcess } from "node:child_process";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { testCertificate as ca } from "./testing/certificate";
import {
  buildDeliveringProcess,
  killProcess,
  startDeliveringProcess,
} from "./testing/delivering-processes";
import { numbersOf, openHttps } from "./testing/receivers";
import { makeStreamWorld } from "./testing/world";

let removeScript: () => void;
const processes = new Set<ChildProcess>();

beforeAll(async () => {
  vi.stubEnv("WEBHOOK_NETWORKS", "127.0.0.1");
  removeScript = await buildDeliveringProcess();
});
afterEach(async () => {
  await Promise.all([...processes].map(killProcess));
  processes.clear();
});
afterAll(() => {
  vi.unstubAllEnvs();
  removeScript();
});

async function start(): Promise<ChildProcess> {
  const child = await startDeliveringProcess();
  processes.add(child);
  return child;
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child) return;
  processes.delete(child);
  await killProcess(child);
}

const kills = 4;

test("with two processes of which one is killed repeatedly, each stream gets every entry, with first deliveries in order", async () => {
  const { add, happen, stream } = await makeStreamWorld();
  const receivers = [await openHttps(), await openHttps(), await openHttps()];
  const ids = [];
  for (const { url } of receivers) ids.push(await add({ kind: "https", url, ca }));
  await start();
  await start();
  let made = 0;
  for (let round = 0; round < kills; round += 1) {
    const before = receivers.map(({ received }) => received.length);
    await happen(15);
    made += 15;
    // Kills it during its work: after it sent something since the entries were written.
    await vi.waitFor(
      () => expect(receivers.some((one, at) => one.received.length > (before[at] ?? 0))).toBe(true),
      { timeout: 100_000, interval: 5 },
    );
    await kill([...processes][0]);
    await start();
  }
  const expected = Array.from({ length: made }, (_, n) => n + 1);
  for (const { received } of receivers)
    await vi.waitFor(() => expect([...new Set(numbersOf(received))]).toEqual(expected), {
      timeout: 100_000,
      interval: 50,
    });
  for (const id of ids)
    await vi.waitFor(async () => expect((await stream(id)).auditSeq).toBe(made), {
      timeout: 100_000,
    });
  await Promise.all(receivers.map((one) => one.close()));
}, 180_000);
