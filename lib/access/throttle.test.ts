import { expect, test } from "vitest";
import { ApiError } from "@/lib/protocol/errors";
import { tryPassword } from "./throttle";

const who = { tenantId: "throttled", plane: "consumer" as const, loginKey: "ada" };
const from = (address: string, check: () => Promise<boolean>) =>
  tryPassword({ ...who, address }, check).then(
    (isRight) => (isRight ? "right" : "wrong"),
    (error: unknown) => (error instanceof ApiError ? error.code : "failed"),
  );
const busy = () => Promise.reject(new ApiError("auth.busy", "Too many sign-ins."));

test("attempts that were not checked because of load count for their own network only", async () => {
  const outcomes: string[] = [];
  for (let round = 0; round < 8; round += 1) outcomes.push(await from("192.0.2.7", busy));
  expect(outcomes).toEqual([
    ...Array(6).fill("auth.busy"),
    ...Array(2).fill("auth.too-many-attempts"),
  ]);
  expect(await from("198.51.100.7", async () => true)).toBe("right");
});

test("attempts that failed with another error are not counted", async () => {
  const broken = () => Promise.reject(new Error("the store is away"));
  for (let round = 0; round < 10; round += 1)
    expect(await from("203.0.113.7", broken)).toBe("failed");
});
