import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { hash as hashAsTyped } from "@node-rs/argon2";
import { describe, expect, test, vi } from "vitest";
import { resetPerProcess } from "@/lib/protocol/per-process";
import { hashPassword, hashPatiently, matchPassword, type Plane, verifyPassword } from "./hashing";

const priorities = () =>
  readdirSync("/proc/self/task").map((thread) => getPriority(Number(thread)));

const of = (plane: Plane, tenantId = "shop") => ({ plane, tenantId });

describe.each(["management", "consumer"] as const)("passwords of the %s plane", (plane) => {
  test("match their own hash, and others do not", async () => {
    const hash = await hashPassword(of(plane), "a longer secret");
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(of(plane), hash, "a longer secret")).toBe(true);
    expect(await verifyPassword(of(plane), hash, "a longer secreT")).toBe(false);
    expect(await verifyPassword(of(plane), undefined, "a password that nobody has")).toBe(false);
  });

  test("are compared in NFC, then as typed for hashes of another program or an earlier release", async () => {
    const composed = "Grüße-aus-Köln".normalize("NFC");
    const decomposed = composed.normalize("NFD");
    for (const typed of [composed, decomposed]) {
      const stored = await hashPassword(of(plane), typed);
      expect(await matchPassword(of(plane), stored, composed)).toBe("right");
      expect(await matchPassword(of(plane), stored, decomposed)).toBe("right");
      expect(await matchPassword(of(plane), undefined, typed)).toBe("none");
    }
    const former = await hashAsTyped(decomposed, { memoryCost: 19_456, timeCost: 2 });
    expect(await matchPassword(of(plane), former, decomposed)).toBe("as typed");
    expect(await matchPassword(of(plane), former, composed)).toBe("none");
    expect(await matchPassword(of(plane), former, `${decomposed}!`)).toBe("none");
  });

  test.each([
    ["of no known format", "no hash"],
    [
      "with parameters that no library computes",
      `$scrypt$ln=16,r=1,p=1$${"a".repeat(22)}$${"b".repeat(43)}`,
    ],
  ])("match no hash %s, and the next one is checked", async (_, stored) => {
    expect(await matchPassword(of(plane), stored, "a longer secret")).toBe("none");
    const hash = await hashPassword(of(plane), "a longer secret");
    expect(await verifyPassword(of(plane), hash, "a longer secret")).toBe(true);
  });

  test("503 with Retry-After for those that do not fit in the queue", async () => {
    const many = await Promise.allSettled(
      Array.from({ length: 100 }, () => verifyPassword(of(plane), undefined, "a longer secret")),
    );
    const refused = many.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused)
      expect(error).toMatchObject({ code: "auth.busy", headers: { "Retry-After": "2" } });
  });
});

test.runIf(process.platform === "linux")(
  "shoppers' passwords are hashed with low priority",
  async () => {
    await hashPassword(of("consumer"), "a longer secret");
    expect(new Set(priorities())).toEqual(new Set([getPriority(), getPriority() + 10]));
  },
);

test("an administrator's password is checked at once while shoppers wait in line", async () => {
  const hash = await hashPassword(of("management"), "a longer secret");
  const shoppers = 20;
  let done = 0;
  const countDone = () => {
    done += 1;
  };
  const line = Array.from({ length: shoppers }, () =>
    verifyPassword(of("consumer"), hash, "a longer secret").then(countDone, countDone),
  );
  expect(await verifyPassword(of("management"), hash, "a longer secret")).toBe(true);
  expect(done, "shoppers who were checked first").toBeLessThan(shoppers / 2);
  await Promise.all(line);
});

describe("a sign-in that waits for a hash", () => {
  /** How many of 30 simultaneous hashes succeed if this much time passes before the first has ended. */
  const hashedAfter = async (ms: number) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const all = Array.from({ length: 30 }, () => hashPassword(of("management"), "a longer secret"));
    vi.advanceTimersByTime(ms);
    vi.useRealTimers();
    const settled = await Promise.allSettled(all);
    return settled.filter(({ status }) => status === "fulfilled").length;
  };

  test("is rejected after 2 seconds, and never in a command", async () => {
    expect(await hashedAfter(1999)).toBe(30);
    expect(await hashedAfter(2000)).toBeLessThan(30);
    hashPatiently();
    expect(await hashedAfter(60_000)).toBe(30);
    resetPerProcess("hashing");
  });
});

test("a hash that the library rejects matches nothing, and does not end its thread", async () => {
  const threads = readdirSync("/proc/self/task").length;
  const stored = `$argon2i$v=19$m=256,t=1,p=1$${"a".repeat(3)}$${"b".repeat(43)}`;
  for (let round = 0; round < 20; round += 1)
    expect(await matchPassword(of("consumer"), stored, "a longer secret")).toBe("none");
  expect(readdirSync("/proc/self/task").length).toBeLessThanOrEqual(threads + 1);
});

test("imported hashes have their own place: those of one tenant do not delay another's shoppers", async () => {
  const costly = `$pbkdf2-sha512$i=1000000$${"a".repeat(22)}$${"b".repeat(43)}`;
  const own = await hashPassword(of("consumer"), "a longer secret");
  let done = 0;
  const guesses = Array.from({ length: 3 }, () =>
    verifyPassword(of("consumer", "sandbox"), costly, "a guess")
      .then(() => {
        done += 1;
      })
      .catch(() => undefined),
  );
  expect(await verifyPassword(of("consumer"), own, "a longer secret")).toBe(true);
  expect(done, "guesses that were checked first").toBeLessThanOrEqual(1);
  await Promise.all(guesses);
});
