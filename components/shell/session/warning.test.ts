import { expect, test } from "vitest";
import { noticeMs, type SessionState, warningOf } from "./times";

const minute = 60_000;
/** Lifetime of twelve hours, idle timeout of half an hour, last use at 0. */
const long: SessionState = {
  ...{ endsAt: 720 * minute, lengthMs: 720 * minute },
  ...{ usedAt: 0, idleMs: 30 * minute },
};

test("five minutes before the end, or a tenth of a session shorter than fifty minutes", () => {
  expect(noticeMs(720 * minute)).toBe(5 * minute);
  expect(noticeMs(30 * minute)).toBe(3 * minute);
  expect(noticeMs(minute)).toBe(6000);
});

test("gives no warning long before the end, and the time of the next check", () => {
  expect(warningOf(long, minute)).toEqual({ warning: undefined, changesAt: 27 * minute });
});

test("warns of the idle timeout until the session has ended", () => {
  const at = 30 * minute;
  expect(warningOf(long, 27 * minute)).toEqual({ warning: { kind: "idle", at }, changesAt: at });
  expect(warningOf(long, at)).toEqual({ warning: undefined, changesAt: undefined });
});

test("use removes the warning", () => {
  const used = { ...long, usedAt: 28 * minute };
  expect(warningOf(used, 28 * minute)).toEqual({ warning: undefined, changesAt: 55 * minute });
});

test("warns of the end of the lifetime, which use does not extend, rather than of the idle timeout", () => {
  const used = { ...long, usedAt: 700 * minute };
  const warning = { kind: "end", at: 720 * minute };
  expect(warningOf(used, 715 * minute)).toEqual({ warning, changesAt: 720 * minute });
  const rests = { ...long, usedAt: 688 * minute };
  expect(warningOf(rests, 715.5 * minute).warning).toEqual(warning);
  expect(warningOf(rests, 719 * minute).warning, "it has ended by resting").toBeUndefined();
});

test("ignores an idle timeout after the end of the lifetime", () => {
  const used = { ...long, usedAt: 691 * minute };
  expect(warningOf(used, 714 * minute)).toEqual({ warning: undefined, changesAt: 715 * minute });
});

test("a session without an idle timeout has only the end of its lifetime", () => {
  const session = { ...long, idleMs: undefined };
  expect(warningOf(session, 100 * minute)).toEqual({ warning: undefined, changesAt: 715 * minute });
});
