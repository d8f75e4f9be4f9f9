import { describe, expect, test } from "vitest";
import { createHashingQueue, type HashingGroup, type Lane } from "./hashing-queue";

interface Job extends HashingGroup {
  at: number;
  costMs: number;
  outcome?: "done" | "busy";
}

const patienceMs = 1000;

/** Runs jobs on a simulated clock: the queue decides the order, and each job takes its cost. */
function simulate(jobs: Job[], places = 2): void {
  const queue = createHashingQueue({ places, room: 64 });
  const running: { job: Job; end: number }[] = [];
  const waiting = new Map<Job, { until: number; remove: () => void }>();
  const arrivals = new Map<number, Job[]>();
  for (const job of jobs) arrivals.set(job.at, [...(arrivals.get(job.at) ?? []), job]);
  const last = Math.max(...arrivals.keys()) + 2 * patienceMs;
  for (let now = 0; now <= last; now += 1) {
    for (const one of running.filter(({ end }) => end <= now)) {
      running.splice(running.indexOf(one), 1);
      one.job.outcome = "done";
      queue.leave(one.job);
    }
    for (const [job, { until, remove }] of waiting)
      if (until <= now) {
        remove();
        waiting.delete(job);
        job.outcome = "busy";
      }
    for (const job of arrivals.get(now) ?? []) {
      let isStarted = false;
      const start = () => {
        isStarted = true;
        waiting.delete(job);
        running.push({ job, end: now + job.costMs });
      };
      const giveUp = () => {
        waiting.delete(job);
        job.outcome = "busy";
      };
      const remove = queue.enter(job, start, giveUp);
      if (!remove) job.outcome = "busy";
      else if (!isStarted) waiting.set(job, { until: now + patienceMs, remove });
    }
  }
}

function jobs(group: HashingGroup, count: number, everyMs: number, costMs: number): Job[] {
  return Array.from({ length: count }, (_, n) => ({ ...group, at: n * everyMs, costMs }));
}
const done = (all: Job[]) => all.filter(({ outcome }) => outcome === "done").length;
const group = (lane: Lane, tenantId: string): HashingGroup => ({ lane, tenantId });

describe("while one tenant has costly work", () => {
  test("90 guesses a minute at imported hashes lock out no shopper or administrator of another tenant", () => {
    const guesses = jobs(group("foreign", "x"), 90, 667, 650);
    const shoppers = jobs(group("consumer", "shop"), 40, 1500, 20);
    const administrators = jobs(group("management", "shop"), 12, 5000, 20);
    simulate([...guesses, ...shoppers, ...administrators]);
    expect([done(shoppers), done(administrators)]).toEqual([40, 12]);
  });

  test.each(["consumer", "management", "foreign"] as const)(
    "a flood in the %s lane locks another tenant out of no lane",
    (lane) => {
      const floods = ["x", "y"].flatMap((one) => jobs(group(lane, one), 4000, 1, 20));
      const others = (["consumer", "management", "foreign"] as const).map((own) =>
        jobs(group(own, "shop"), 40, 100, 20),
      );
      simulate([...floods, ...others.flat()]);
      expect(others.map(done)).toEqual([40, 40, 40]);
    },
  );

  test("a flood of shoppers' guesses locks out no administrator of the same tenant", () => {
    const flood = jobs(group("consumer", "shop"), 4000, 1, 20);
    const administrators = jobs(group("management", "shop"), 40, 100, 20);
    simulate([...flood, ...administrators]);
    expect(done(administrators)).toBe(40);
  });

  test("one tenant uses all places while no other one needs them", () => {
    const own = jobs(group("management", "x"), 100, 10, 20);
    simulate(own);
    expect(done(own)).toBe(100);
  });
});

describe("places", () => {
  const started = (groups: HashingGroup[], places: number): HashingGroup[] => {
    const queue = createHashingQueue({ places, room: 64 });
    const all: HashingGroup[] = [];
    for (const one of groups)
      queue.enter(
        one,
        () => all.push(one),
        () => undefined,
      );
    return all;
  };

  test("shoppers leave one for administrators, and foreign hashes have a separate one", () => {
    const [shopper, administrator, imported] = [
      group("consumer", "a"),
      group("management", "a"),
      group("foreign", "a"),
    ];
    expect(
      started([shopper, shopper, shopper, administrator, administrator, imported, imported], 3).map(
        ({ lane }) => lane,
      ),
    ).toEqual(["consumer", "consumer", "management", "foreign"]);
  });

  test("tenants take turns, however many hashes of each wait", () => {
    const queue = createHashingQueue({ places: 2, room: 64 });
    const order: string[] = [];
    const add = (tenantId: string) =>
      queue.enter(
        group("consumer", tenantId),
        () => order.push(tenantId),
        () => undefined,
      );
    for (const tenantId of ["x", "x", "x", "y", "y", "z"]) add(tenantId);
    for (let turn = 0; turn < 5; turn += 1) queue.leave(group("consumer", order.at(-1) ?? ""));
    expect(order).toEqual(["x", "y", "z", "x", "y", "x"]);
  });
});

describe("a full room", () => {
  const full = () => {
    const queue = createHashingQueue({ places: 2, room: 4 });
    const left: number[] = [];
    for (let n = 0; n < 5; n += 1)
      queue.enter(
        group("consumer", "x"),
        () => undefined,
        () => left.push(n),
      );
    return { queue, left };
  };

  test("rejects more hashes of the tenant that fills it, and drops that tenant's newest for another tenant", () => {
    const { queue, left } = full();
    const nothing = () => undefined;
    expect(queue.hasRoom(group("consumer", "x"))).toBe(false);
    expect(queue.enter(group("consumer", "x"), nothing, nothing)).toBeUndefined();
    expect(queue.hasRoom(group("consumer", "shop"))).toBe(true);
    expect(queue.enter(group("consumer", "shop"), nothing, nothing)).toBeDefined();
    expect(left).toEqual([4]);
    expect([queue.running(), queue.waiting()]).toEqual([1, 4]);
  });

  test("is shared equally between two tenants", () => {
    const { queue, left } = full();
    const nothing = () => undefined;
    const entered = Array.from({ length: 4 }, () =>
      queue.enter(group("consumer", "shop"), nothing, nothing),
    );
    expect(entered.filter(Boolean)).toHaveLength(2);
    expect(left).toEqual([4, 3]);
  });

  test("gives a free place to the tenant with the fewest running hashes, even if another has waited longer", () => {
    const queue = createHashingQueue({ places: 4, room: 64 });
    const started: string[] = [];
    const enter = (tenantId: string) =>
      queue.enter(
        group("management", tenantId),
        () => started.push(tenantId),
        () => undefined,
      );
    // "x" was served three times before "y" was served once, so "x" has waited longer.
    for (const tenantId of ["x", "x", "x", "y", "x", "y"]) enter(tenantId);
    queue.leave(group("management", "x"));
    expect(started).toEqual(["x", "x", "x", "y", "y"]);
    queue.leave(group("management", "y"));
    queue.leave(group("management", "y"));
    expect(started.at(-1)).toBe("x");
  });
});
