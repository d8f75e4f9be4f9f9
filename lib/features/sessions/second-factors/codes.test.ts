import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { describeSecret, matchStep, newSharedSecret } from "./codes";

const now = 1_800_000_010_000;
const presentStep = Math.floor(now / 30_000);

test("a code is valid in its own step, the one before and the one after, and its step is returned", () => {
  const shared = newSharedSecret();
  const { secret } = describeSecret(shared, { tenantId: "any", login: "ada" });
  const steps = [-2, -1, 0, 1, 2].map((ahead) => {
    const code = new TOTP({ secret }).generate({ timestamp: now + ahead * 30_000 });
    return matchStep(shared, code, now);
  });
  expect(steps).toEqual([undefined, presentStep - 1, presentStep, presentStep + 1, undefined]);
});
