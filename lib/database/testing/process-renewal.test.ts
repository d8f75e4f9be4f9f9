import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { perProcess } from "@/lib/protocol/per-process";
import { renewProcess } from "./process-renewal";

/** Due after every timer of the test: the remaining ones have run by then. */
const afterTimers = () => pause(40);

test("a value of the register is created again", async () => {
  const counter = perProcess("renewal-test", () => ({ count: 0 }));
  counter().count = 7;
  await renewProcess();
  expect(counter()).toEqual({ count: 0 });
});

test("a module is evaluated again, a package is not", async () => {
  const [ours, theirs] = [await import("./statements"), await import("drizzle-orm")];
  await renewProcess();
  expect((await import("./statements")).tenantFault).not.toBe(ours.tenantFault);
  expect((await import("drizzle-orm")).sql).toBe(theirs.sql);
});

test("timers and pauses of an earlier file never end", async () => {
  const heard: string[] = [];
  setTimeout(() => heard.push("timeout"), 5);
  setInterval(() => heard.push("interval"), 5);
  setImmediate(() => heard.push("immediate"));
  void pause(5).then(() => heard.push("pause"));
  await renewProcess();
  await afterTimers();
  expect(heard).toEqual([]);
});

test("environment, working directory, title and globals are those of the start", async () => {
  const { title } = process;
  const cwd = process.cwd();
  const { fetch } = globalThis;
  vi.stubEnv("RENEWAL_STUB", "1");
  process.env.RENEWAL_TEST = "1";
  process.env.PATH = "/nowhere";
  process.chdir(tmpdir());
  process.title = "renewal";
  globalThis.fetch = async () => new Response();
  await renewProcess();
  expect(process.env).not.toHaveProperty("RENEWAL_STUB");
  expect(process.env).not.toHaveProperty("RENEWAL_TEST");
  expect(process.env.PATH).not.toBe("/nowhere");
  expect([process.cwd(), process.title]).toEqual([cwd, title]);
  expect(globalThis.fetch).toBe(fetch);
});

test("listeners, signal handlers and spies are removed, and nothing can end the process", async () => {
  const before = process.listenerCount("SIGTERM");
  process.on("SIGTERM", () => undefined);
  process.once("beforeExit", () => undefined);
  const spied = vi.spyOn(Math, "random").mockReturnValue(0.5);
  vi.useFakeTimers({ now: 0 });
  await renewProcess();
  expect(process.listenerCount("SIGTERM")).toBe(before);
  expect(process.listenerCount("beforeExit")).toBe(0);
  expect(Math.random).not.toBe(spied);
  expect(Date.now()).toBeGreaterThan(1e12);
  expect(() => process.exit(3)).toThrow("with 3");
});

test("servers, connections and threads are ended", async () => {
  const server = createServer((_, response) => response.end("here")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  await (await fetch(`http://127.0.0.1:${port}/`)).text();
  const thread = new Worker("setInterval(() => undefined, 1000)", { eval: true });
  const threadEnd = once(thread, "exit");
  await once(thread, "online");
  await renewProcess();
  expect([server.listening, socket.destroyed]).toEqual([false, true]);
  await threadEnd;
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
});
