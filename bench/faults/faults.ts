import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import type { FaultyProxy, Fault as LineFault } from "@/lib/database/testing/faulty-proxy";
import type { Clock } from "./clock";
import type { Server } from "./server";

/** The components that faults are injected into. */
export interface Scene {
  server: Server;
  proxy: FaultyProxy;
  clock: Clock;
  /** A second process of the service on the same store. */
  neighbour: () => Promise<{ pid: number; write: () => Promise<unknown> }>;
}

export interface Fault {
  name: string;
  /** Resolves when the fault is over and the store is as before. */
  inflict: (scene: Scene) => Promise<void>;
  /** The kinds of request that it affects; it should hardly affect the others. */
  about?: string[];
  needsSmallDisk?: boolean;
  /** Responses that the fault explains, such as a credential that has expired by the shifted clock. */
  expected?: RegExp;
}

const onTheLine = (name: LineFault, milliseconds: number): Fault => ({
  name,
  async inflict({ proxy }) {
    proxy.inflict(name);
    await pause(milliseconds);
    proxy.inflict("pass");
  },
});

/** The cleaning, the partitions of metrics and the trail must not trust a clock that jumps, temporarily or permanently. */
const clockJump = (days: number): Fault => ({
  name: `clock${days > 0 ? "+" : ""}${days}d`,
  expected: /credentials-expired|token-expired|validTo must be/,
  async inflict({ clock }) {
    clock.shift(days);
    await pause(60_000);
    clock.shift(0);
  },
});

async function whileHolding(server: Server, text: string, milliseconds: number): Promise<void> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(text);
  await pause(milliseconds);
  await client.end();
}

const terminate =
  "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gatehouse'";

export const faults: Fault[] = [
  onTheLine("stall", 8000),
  onTheLine("black-hole", 8000),
  onTheLine("freeze", 0),
  onTheLine("half-open", 0),
  onTheLine("reset", 3000),
  onTheLine("drip", 5000),
  {
    name: "terminate",
    async inflict({ server }) {
      for (let round = 0; round < 60; round += 1) await server.run(terminate);
    },
  },
  {
    name: "lock",
    about: ["get-preview", "put-preview"],
    inflict: ({ server }) =>
      whileHolding(
        server,
        "begin; lock table preview_configurations in access exclusive mode",
        8000,
      ),
  },
  {
    name: "stop-store",
    async inflict({ server }) {
      server.signalAll("SIGSTOP");
      await pause(8000);
      server.signalAll("SIGCONT");
    },
  },
  {
    name: "stop-process",
    async inflict({ neighbour }) {
      const { pid, write } = await neighbour();
      const writes = Array.from({ length: 8 }, write);
      await pause(30);
      process.kill(pid, "SIGSTOP");
      await pause(8000);
      process.kill(pid, "SIGCONT");
      await Promise.allSettled(writes);
    },
  },
  {
    name: "read-only",
    async inflict({ server }) {
      await server.run("alter system set default_transaction_read_only = on");
      await server.run("select pg_reload_conf()");
      await pause(3000);
      await server.run("set default_transaction_read_only = off; select 1");
      await server.run("alter system reset default_transaction_read_only");
      await server.run("select pg_reload_conf()");
    },
  },
  {
    name: "restart",
    async inflict({ server }) {
      await server.stop("SIGINT");
      await server.start();
    },
  },
  {
    name: "crash",
    async inflict({ server }) {
      await server.stop("SIGQUIT");
      await server.start();
    },
  },
  {
    name: "kill",
    async inflict({ server }) {
      await server.kill();
      await server.start();
    },
  },
  ...[-500, 9, 500].map(clockJump),
  {
    name: "full-disk",
    needsSmallDisk: true,
    async inflict({ server }) {
      await server.fill();
      await pause(8000);
      server.clear();
    },
  },
];
