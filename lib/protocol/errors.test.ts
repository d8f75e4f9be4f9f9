import { expect, test } from "vitest";
import { errorCodes } from "./error-codes";
import { ApiError, isRejection } from "./errors";

const forbidden = Object.entries(errorCodes).filter(([, { status }]) => status === 403);

test("a 403 must name in reason what is missing: otherwise the compiler rejects it", () => {
  // @ts-expect-error a 403 names what is missing
  const nameless = new ApiError("user.oneself", "You cannot lock yourself.");
  // @ts-expect-error nor may it be left open
  const open = new ApiError("user.locked", "You are locked.", undefined);
  expect([nameless.status, open.status]).toEqual([403, 403]);
  expect(new ApiError("user.not-found", "There is no such user.").reason).toBeUndefined();
});

test.each(forbidden)("403 %s: its page describes reason", (_, { remedy }) => {
  expect(remedy).toContain("reason");
});

test("a failure of the server is not a rejection", () => {
  const away = new ApiError("server.store-unavailable", "The store cannot be reached.");
  const missing = new ApiError("user.not-found", "There is no such user.");
  expect([away, new Error("connection lost"), undefined].map(isRejection)).toEqual(
    Array(3).fill(false),
  );
  expect(isRejection(missing)).toBe(true);
});
