import { describe, expect, test } from "vitest";
import { createAdmission, type LoadClass } from "./admission";

let now = 0;

function open() {
  now = 0;
  const admission = createAdmission(
    () => now,
    () => ({ take: () => true }),
  );
  const log: string[] = [];
  const enter = (name: LoadClass, id = "") =>
    admission.admit(
      name,
      () => log.push(`run ${id}`),
      () => log.push(`refuse ${id}`),
    );
  const fill = (name: LoadClass) => {
    while (admission.state(name).inFlight < Math.floor(admission.state(name).limit)) enter(name);
    log.length = 0;
  };
  return { admission, log, enter, fill };
}

describe("a class that is full", () => {
  test("queues the next requests and runs them in order when there is room", () => {
    const { admission, log, enter, fill } = open();
    fill("pages");
    enter("pages", "a");
    enter("pages", "b");
    expect(log).toEqual([]);
    admission.release("pages", 5);
    expect(log).toEqual(["run a"]);
    admission.release("pages", 5);
    expect(log).toEqual(["run a", "run b"]);
  });

  test("rejects requests that have waited for a second, and those that find the queue full", () => {
    const { admission, log, enter, fill } = open();
    fill("metrics");
    enter("metrics", "early");
    now = 300;
    for (let n = 1; n < 1024; n += 1) enter("metrics", "late");
    enter("metrics", "last");
    expect(log).toEqual(["refuse last"]);
    now = 1001;
    admission.adjust(0);
    expect(log[1]).toBe("refuse early");
    expect(admission.state("metrics").queued).toBeLessThan(1024);
  });

  test("keeps a request for as long as the limits of the server say", () => {
    now = 0;
    const patient = createAdmission(
      () => now,
      () => ({ take: () => true }),
      { queueMs: 60_000 },
    );
    const log: string[] = [];
    for (let n = 0; n <= patient.state("metrics").limit; n += 1)
      patient.admit(
        "metrics",
        () => undefined,
        () => log.push("refuse"),
      );
    now = 60_000;
    patient.adjust(0);
    expect(log).toEqual([]);
    now = 60_001;
    patient.adjust(0);
    expect(log).toEqual(["refuse"]);
  });

  test("queues pages for two seconds", () => {
    const { admission, log, enter, fill } = open();
    fill("pages");
    enter("pages", "page");
    now = 1999;
    admission.adjust(0);
    expect(log).toEqual([]);
    now = 2001;
    admission.adjust(0);
    expect(log).toEqual(["refuse page"]);
  });

  test("serves the networks in turn, and makes room for one that has fewer in the queue", () => {
    const { admission, log, fill } = open();
    fill("pages");
    const enter = (from: string, id: string) =>
      admission.admit(
        "pages",
        () => log.push(`run ${id}`),
        () => log.push(`refuse ${id}`),
        from,
      );
    for (let n = 1; n <= 1024; n += 1) enter("many", `many ${n}`);
    enter("few", "few 1");
    expect(log).toEqual(["refuse many 1024"]);
    for (let n = 0; n < 3; n += 1) admission.release("pages", 5);
    expect(log.slice(1)).toEqual(["run many 1", "run few 1", "run many 2"]);
    expect(admission.state("pages").queued).toBe(1021);
  });

  test("does not affect the other classes, and health is never limited", () => {
    const { admission, log, enter, fill } = open();
    for (const name of ["pages", "metrics", "sign-in", "consumer-sign-in", "consumer"] as const)
      fill(name);
    for (let n = 0; n < 50; n += 1) enter("management", "m");
    for (let n = 0; n < 5000; n += 1) enter("health", "h");
    expect(log.filter((line) => line === "run m")).toHaveLength(50);
    expect(log.filter((line) => line === "run h")).toHaveLength(5000);
    expect(admission.state("management").queued).toBe(0);
  });

  test("gives the place of a request that waits for its client to the next one", () => {
    const { admission, log, enter, fill } = open();
    fill("pages");
    enter("pages", "next");
    admission.pause("pages");
    expect(log).toEqual(["run next"]);
    admission.resume("pages");
    admission.release("pages", 5);
    enter("pages", "again");
    expect(log).toEqual(["run next"]);
  });
});

describe("a limit", () => {
  const finish = (
    admission: ReturnType<typeof createAdmission>,
    name: LoadClass,
    latencyMs: number,
  ) => {
    admission.admit(
      name,
      () => undefined,
      () => undefined,
    );
    admission.release(name, latencyMs);
  };

  test("falls while the class is slower than its target, to the floor and no further", () => {
    const { admission } = open();
    const before = admission.state("management").limit;
    finish(admission, "management", 900);
    admission.adjust(0);
    expect(admission.state("management").limit).toBe(before * 0.75);
    for (let n = 0; n < 50; n += 1) {
      finish(admission, "management", 900);
      admission.adjust(0);
    }
    expect(admission.state("management").limit).toBe(32);
  });

  test("of pages falls when the event loop is late, that of cheap requests when it is later", () => {
    const { admission } = open();
    const limits = () => [admission.state("consumer").limit, admission.state("pages").limit];
    const run = (loopDelayMs: number) => {
      for (const name of ["pages", "consumer"] as const) finish(admission, name, 10);
      admission.adjust(loopDelayMs);
    };
    run(8);
    expect(limits()).toEqual([128, 8]);
    run(12);
    expect(limits()).toEqual([128, 6]);
    run(20);
    expect(limits()).toEqual([96, 4.5]);
  });

  test("of cheap requests falls, too, when the event loop is very late", () => {
    const { admission } = open();
    const before = admission.state("consumer").limit;
    finish(admission, "consumer", 10);
    admission.adjust(120);
    expect(admission.state("consumer").limit).toBe(before * 0.75);
  });

  test("falls while the class finishes no request for longer than its target", () => {
    const { admission, fill } = open();
    const before = admission.state("metrics").limit;
    fill("metrics");
    now = 400;
    admission.adjust(0);
    expect(admission.state("metrics").limit).toBe(before);
    now = 1000;
    admission.adjust(0);
    expect(admission.state("metrics").limit).toBe(before * 0.75);
    admission.release("metrics", 1000);
    now = 1100;
    admission.adjust(0);
    // The previous request took longer than its target.
    expect(admission.state("metrics").limit).toBe(before * 0.75 * 0.75);
  });

  test("stays if only few of many are slow, as with a locked table", () => {
    const { admission } = open();
    const before = admission.state("management").limit;
    for (let n = 0; n < 60; n += 1) finish(admission, "management", n < 20 ? 6000 : 10);
    admission.adjust(0);
    expect(admission.state("management").limit).toBe(before);
  });

  test("of cheap requests rises while all of them wait for a lock: the others have room", () => {
    const { admission, enter, fill } = open();
    const before = admission.state("management").limit;
    fill("management");
    enter("management");
    now = 5000;
    admission.adjust(0);
    expect(admission.state("management").limit).toBeGreaterThan(before);
  });

  test("of shoppers' sign-ins does not change that of administrators", () => {
    const { admission, fill } = open();
    const before = admission.state("sign-in").limit;
    fill("consumer-sign-in");
    now = 10_000;
    for (let n = 0; n < 20; n += 1) admission.adjust(0);
    expect(admission.state("consumer-sign-in").limit).toBe(2);
    expect(admission.state("sign-in")).toMatchObject({ limit: before, inFlight: 0 });
  });

  test("rises from the floor to its start within two seconds of fast requests", () => {
    const { admission, enter } = open();
    const start = admission.state("pages").limit;
    for (let n = 0; n < 50; n += 1) {
      finish(admission, "pages", 10);
      admission.adjust(80);
    }
    expect(admission.state("pages").limit).toBe(4);
    for (let tick = 0; tick < 8; tick += 1) {
      for (let n = 0; n < 40; n += 1) enter("pages");
      while (admission.state("pages").inFlight > 0) admission.release("pages", 10);
      now += 250;
      admission.adjust(0);
    }
    expect(admission.state("pages").limit).toBeGreaterThanOrEqual(start);
  });

  test("does not rise while no request waits", () => {
    const { admission } = open();
    const before = admission.state("metrics").limit;
    finish(admission, "metrics", 10);
    admission.adjust(0);
    expect(admission.state("metrics").limit).toBe(before);
  });
});
