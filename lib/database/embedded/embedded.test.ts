import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startFaultyProxy } from "@/lib/database/testing/faulty-proxy";
import { buildStoreProcess, startStoreProcess } from "@/lib/database/testing/store-processes";
import { startEmbedded } from "./embedded";
import { isRoot, postgresOwner } from "./ownership";
import { findPostmaster } from "./postmaster";
import { joinStore } from "./server-lease";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-embedded-"));
chmodSync(folder, 0o755);
const dataDir = join(folder, "data");
const cluster = join(dataDir, "postgres", "cluster");

beforeAll(buildStoreProcess);
afterAll(async () => {
  const left = findPostmaster(cluster);
  if (left !== undefined) process.kill(left.pid, "SIGQUIT");
  rmSync(folder, { recursive: true });
  expect(left).toBeUndefined();
});

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim().split(" ").map(Number);
}

/** Waits until the process is gone: a killed one may exist for a moment. */
async function gone(pid: number): Promise<void> {
  await expect.poll(() => existsSync(`/proc/${pid}/cwd`)).toBe(false);
}

describe("the embedded PostgreSQL", () => {
  test("is set up once when two processes start with an empty folder, and stops with the last of them", async () => {
    const [one, two] = await Promise.all([startStoreProcess(dataDir), startStoreProcess(dataDir)]);
    expect(one.postmasterPid).toBe(two.postmasterPid);
    expect([one.isStartedHere, two.isStartedHere].toSorted()).toEqual([false, true]);
    const [starter, adopter] = one.isStartedHere ? [one, two] : [two, one];
    await starter.leave();
    expect(await adopter.keep("after the starter left")).toBe("kept");
    await adopter.leave();
    expect(findPostmaster(cluster)).toBeUndefined();
  });

  test("stops when two processes leave at the same moment", async () => {
    const [one, two] = await Promise.all([startStoreProcess(dataDir), startStoreProcess(dataDir)]);
    await Promise.all([one.leave(), two.leave()]);
    expect(findPostmaster(cluster)).toBeUndefined();
  });

  test("outlives a killed process, and the next one adopts it with all acknowledged writes", async () => {
    const first = await startStoreProcess(dataDir);
    expect(await first.keep("before the kill")).toBe("kept");
    await first.kill();
    const second = await startStoreProcess(dataDir);
    expect(second.isStartedHere).toBe(false);
    expect(second.postmasterPid).toBe(first.postmasterPid);
    expect(second.notes).toContain("before the kill");
    await second.leave();
    expect(findPostmaster(cluster)).toBeUndefined();
  });

  test("is restarted by the process that uses it when it is killed", async () => {
    const user = await startStoreProcess(dataDir);
    expect(await user.keep("acknowledged")).toBe("kept");
    process.kill(user.postmasterPid, "SIGKILL");
    await gone(user.postmasterPid);
    await expect.poll(() => user.keep(`tried ${randomUUID()}`)).toBe("kept");
    await user.leave();
    expect(findPostmaster(cluster)).toBeUndefined();
  });

  test("starts again when it was killed together with the process that used it", async () => {
    const first = await startStoreProcess(dataDir);
    expect(await first.keep("the last word")).toBe("kept");
    process.kill(first.postmasterPid, "SIGKILL");
    await first.kill();
    const second = await startStoreProcess(dataDir);
    expect(second.isStartedHere).toBe(true);
    expect(second.notes).toContain("the last word");
    await second.leave();
  });

  test("starts although another process now has the process id of an earlier server", async () => {
    const stranger = spawn("sleep", ["60"], { ...postgresOwner(cluster) });
    const sockets = join(dataDir, "postgres", "sockets");
    mkdirSync(sockets, { recursive: true });
    writeFileSync(
      join(cluster, "postmaster.pid"),
      `${stranger.pid}\n${cluster}\n1\n5432\n${sockets}\n\n\nready   \n`,
    );
    writeFileSync(
      join(sockets, ".s.PGSQL.5432.lock"),
      `${stranger.pid}\n${cluster}\n1\n5432\n${sockets}\n`,
    );
    const next = await startStoreProcess(dataDir);
    stranger.kill();
    expect(next.isStartedHere).toBe(true);
    await next.leave();
  });
});

describe("a lock file that no server holds", () => {
  const startsAgain = async () => {
    const next = await startStoreProcess(dataDir);
    expect(next.isStartedHere).toBe(true);
    await next.leave();
  };
  const lock = join(cluster, "postmaster.pid");

  test.each(["", "garbage\n", "0\n"])(
    "and that is incomplete (%j) does not prevent a start",
    async (text) => {
      writeFileSync(lock, text);
      await startsAgain();
    },
  );

  test("and that names a process which we may not signal does not prevent a start", () => {
    const elsewhere = mkdtempSync(join(folder, "elsewhere-"));
    writeFileSync(join(elsewhere, "postmaster.pid"), "1\n");
    const kill = vi.spyOn(process, "kill").mockImplementation(() => {
      throw Object.assign(new Error("not permitted"), { code: "EPERM" });
    });
    expect(findPostmaster(elsewhere)).toBeUndefined();
    kill.mockRestore();
    expect(existsSync(join(elsewhere, "postmaster.pid"))).toBe(false);
  });
});

describe("a server that does not respond", () => {
  test("is ended by the process that leaves it", async () => {
    const user = await startStoreProcess(dataDir);
    process.kill(user.postmasterPid, "SIGSTOP");
    const backends = childrenOf(user.postmasterPid);
    for (const pid of backends) process.kill(pid, "SIGSTOP");
    // An unclean exit has an exit code and one line, not an uncaught error.
    expect(await user.leave()).toEqual({
      code: 1,
      errors: "The embedded PostgreSQL did not answer and was killed.\n",
    });
    for (const pid of backends) process.kill(pid, "SIGCONT");
    expect(findPostmaster(cluster)).toBeUndefined();
    const next = await startStoreProcess(dataDir);
    expect(next.notes).toContain("the last word");
    await next.leave();
  });
});

describe("a process that leaves", () => {
  const proxied = async () => {
    const proxy = await startFaultyProxy(process.env.DATABASE_URL ?? "");
    const presence = await joinStore({ connectionString: proxy.url }, () => undefined);
    return { proxy, presence };
  };

  test("waits for no other process once the server is stopped", async () => {
    const { proxy, presence } = await proxied();
    const stop = async () => proxy.inflict("stall");
    expect(await presence.leave(stop, () => undefined)).toBeUndefined();
    await proxy.close();
  });

  test("reports that the server did not respond, and abandons it", async () => {
    const { proxy, presence } = await proxied();
    const abandon = vi.fn();
    proxy.inflict("black-hole");
    await expect(presence.leave(async () => undefined, abandon)).rejects.toThrow(
      "The embedded PostgreSQL did not answer and was killed.",
    );
    expect(abandon).toHaveBeenCalledOnce();
    await proxy.close();
  });

  test("does nothing if the server is gone", async () => {
    const { proxy, presence } = await proxied();
    proxy.inflict("reset");
    const [stop, abandon] = [vi.fn(), vi.fn()];
    await presence.leave(stop, abandon);
    expect([stop, abandon].flatMap(({ mock }) => mock.calls)).toEqual([]);
    await proxy.close();
  });
});

describe("the data folder", () => {
  const answers = async (dataDirectory: string) => {
    const embedded = await startEmbedded(dataDirectory, { isThrowaway: true });
    const client = new Client(embedded.connection);
    await client.connect();
    const { rows } = await client.query("select 1 as one");
    await client.end();
    await embedded.close();
    return rows;
  };

  test("may have a path too long for a socket", async () => {
    const deep = join(folder, "a-rather-long-name-".repeat(8), "data");
    expect(await answers(deep)).toEqual([{ one: 1 }]);
    expect(await answers(deep)).toEqual([{ one: 1 }]);
  });

  test("may be in a folder closed to other users: root then stores the cluster elsewhere and finds it again", async () => {
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0o700 });
    const hidden = join(closed, "data");
    expect(await answers(hidden)).toEqual([{ one: 1 }]);
    const home = realpathSync(join(hidden, "postgres"));
    expect(lstatSync(join(hidden, "postgres")).isSymbolicLink()).toBe(isRoot());
    expect(dirname(home) === hidden).toBe(!isRoot());
    expect(await answers(hidden)).toEqual([{ one: 1 }]);
    expect(realpathSync(join(hidden, "postgres"))).toBe(home);
    rmSync(home, { recursive: true });
  });

  test("whose cluster is gone is not silently created again", async () => {
    const data = join(folder, "lost");
    mkdirSync(data, { mode: 0o755 });
    symlinkSync(join(folder, "nowhere"), join(data, "postgres"));
    await expect(startEmbedded(data)).rejects.toThrow("leads to a folder that is gone");
  });
});
