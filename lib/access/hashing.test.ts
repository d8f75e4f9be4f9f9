import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { hash as hashAsTyped } from "@node-rs/argon2";
import { describe, expect, test } from "vitest";
import { hashPassword, matchPassword, verifyPassword } from "./hashing";

const priorities = () =>
  readdirSync("/proc/self/task").map((thread) => getPriority(Number(thread)));

describe.each(["management", "consumer"] as const)("passwords of the %s plane", (plane) => {
  test("are known again, and no others", async () => {
    const hash = await hashPassword(plane, "a longer secret");
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(plane, hash, "a longer secret")).toBe(true);
    expect(await verifyPassword(plane, hash, "a longer secreT")).toBe(false);
    expect(await verifyPassword(plane, undefined, "a password that nobody has")).toBe(false);
  });

  test("are compared in NFC, then as typed: what another program or a former release has hashed", async () => {
    const composed = "Grüße-aus-Köln".normalize("NFC");
    const decomposed = composed.normalize("NFD");
    for (const typed of [composed, decomposed]) {
      const stored = await hashPassword(plane, typed);
      expect(await matchPassword(plane, stored, composed)).toBe("right");
      expect(await matchPassword(plane, stored, decomposed)).toBe("right");
      expect(await matchPassword(plane, undefined, typed)).toBe("none");
    }
    const former = await hashAsTyped(decomposed, { memoryCost: 19_456, timeCost: 2 });
    expect(await matchPassword(plane, former, decomposed)).toBe("as typed");
    expect(await matchPassword(plane, former, composed)).toBe("none");
    expect(await matchPassword(plane, former, `${decomposed}!`)).toBe("none");
  });

  test("that cannot be checked fail alone: the next one is checked", async () => {
    await expect(verifyPassword(plane, "no hash", "a longer secret")).rejects.toThrow();
    const hash = await hashPassword(plane, "a longer secret");
    expect(await verifyPassword(plane, hash, "a longer secret")).toBe(true);
  });

  test("503 with Retry-After for those that find no place to wait", async () => {
    const many = await Promise.allSettled(
      Array.from({ length: 100 }, () => verifyPassword(plane, undefined, "a longer secret")),
    );
    const refused = many.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused)
      expect(error).toMatchObject({ code: "auth.busy", headers: { "Retry-After": "2" } });
  });
});

test.runIf(process.platform === "linux")(
  "shoppers' passwords are hashed behind everything else",
  async () => {
    await hashPassword("consumer", "a longer secret");
    expect(new Set(priorities())).toEqual(new Set([getPriority(), getPriority() + 10]));
  },
);

test("an administrator's password is checked at once while shoppers wait in line", async () => {
  const hash = await hashPassword("management", "a longer secret");
  const shoppers = 20;
  let done = 0;
  const countDone = () => {
    done += 1;
  };
  const line = Array.from({ length: shoppers }, () =>
    verifyPassword("consumer", hash, "a longer secret").then(countDone, countDone),
  );
  expect(await verifyPassword("management", hash, "a longer secret")).toBe(true);
  expect(done, "shoppers who were checked first").toBeLessThan(shoppers / 2);
  await Promise.all(line);
});
