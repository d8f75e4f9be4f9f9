import { setTimeout as pause } from "node:timers/promises";
import { answersBetween, backAfter } from "@/bench/drill/judge";
import type { Asked, Diary } from "@/bench/drill/load";
import { ask, type DrillTenant, signIn } from "@/bench/drill/world";
import type { Product } from "@/lib/server/testing/product";
import type { CitusCluster } from "./nodes";

/** The input of the drill's steps. */
export interface Drill {
  cluster: CitusCluster;
  instances: Product[];
  tenants: DrillTenant[];
  diary: Diary;
  /** Starts another instance of the service. */
  startInstance(): Promise<Product>;
}

export type Row = readonly [string, string];

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** Polls the readiness of every instance each second until it is stopped. */
function watchReadiness(instances: readonly Product[]) {
  const statuses: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      for (const { url } of instances)
        statuses.push((await ask(url, { method: "GET", path: "/readyz" })).status);
      await pause(1000);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    const ready = statuses.filter((status) => status === 200).length;
    return `${ready} of ${statuses.length}`;
  };
}

/** Starts an instance; returns whether and after how long it serves a tenant. */
async function startMeanwhile(drill: Drill, living: DrillTenant | undefined): Promise<string> {
  const from = performance.now();
  const started = await Promise.race([
    drill.startInstance().then(
      (product) => product,
      (error: Error) => error.message.slice(0, 200),
    ),
    pause(60_000, "not ready within 60 s"),
  ]);
  if (typeof started === "string") return started;
  const ready = seconds(performance.now() - from);
  const { status } = living ? await signIn(started.url, living) : { status: 0 };
  await started.stop();
  return `ready after ${ready}; a sign-in there ${status}`;
}

/** Kills a worker and restarts it after a while. */
export async function killWorker(drill: Drill, awayMs: number): Promise<Row[]> {
  const { cluster, tenants, diary } = drill;
  const [dying] = cluster.workers;
  if (dying === undefined) throw new Error("There is no worker.");
  const ports = await Promise.all(tenants.map(({ tenant }) => cluster.portOf(tenant)));
  const away = new Set(tenants.filter((_, n) => ports[n] === dying.port).map((t) => t.tenant));
  const isLiving = ({ tenant }: Asked) => !away.has(tenant);
  const stopWatching = watchReadiness(drill.instances);
  cluster.kill(dying);
  const from = performance.now();
  const living = tenants.find(({ tenant }) => !away.has(tenant));
  const meanwhile = await startMeanwhile(drill, living);
  await pause(Math.max(0, awayMs - (performance.now() - from)));
  const ready = await stopWatching();
  const to = performance.now();
  await cluster.start(dying);
  const back = performance.now();
  await pause(10_000);
  const others = answersBetween(diary, from + 1000, to, isLiving);
  const first = answersBetween(diary, from, from + 1000, isLiving);
  const its = answersBetween(diary, from, to, (one) => !isLiving(one));
  const names = [...away];
  return [
    [
      `a worker killed for ${seconds(to - from)}, with ${away.size} of ${tenants.length} tenants`,
      `tenants of the others: ${others.good} good, ${others.bad} failed after the first second (${others.statuses}), ${first.bad} in it; its own: ${its.good} good, ${its.bad} failed (${its.statuses}), the last back ${seconds(backAfter(diary, back, names))} after the worker accepted connections; \`/readyz\` 200 in ${ready}`,
    ],
    ["an instance started while the worker was away", meanwhile],
  ];
}

/** Kills the coordinator and restarts it after a while. */
export async function killCoordinator(drill: Drill, awayMs: number): Promise<Row[]> {
  const { cluster, tenants, diary } = drill;
  const from = performance.now();
  cluster.kill(cluster.coordinator);
  await pause(awayMs);
  const to = performance.now();
  await cluster.start(cluster.coordinator);
  const back = performance.now();
  await pause(10_000);
  const its = answersBetween(diary, from, to);
  const names = tenants.map(({ tenant }) => tenant);
  return [
    [
      `the coordinator killed for ${seconds(to - from)}`,
      `${its.bad} failed (${its.statuses}); the last tenant back ${seconds(backAfter(diary, back, names))} after it accepted connections`,
    ],
  ];
}
