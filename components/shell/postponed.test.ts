import { QueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { notify } from "@/components/ui/toast";
import { undoMs } from "@/components/ui/undo-time";
import { CallError } from "@/lib/catalogue/client";
import { postpone } from "./postponed";
import { signOut } from "./sign-out";

/** Whether the pointer rests on a message. */
let isHeld = false;
let page = new EventTarget();

beforeEach(async () => {
  page = new EventTarget();
  isHeld = false;
  vi.stubGlobal("window", page);
  vi.stubGlobal("HTMLElement", class {});
  vi.stubGlobal("document", { querySelector: () => (isHeld ? {} : null) });
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  await notify("loads the code of the messages");
  vi.useFakeTimers();
});

afterEach(async () => {
  await vi.runAllTimersAsync();
  toast.dismiss();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

let count = 0;

/** Postpones the revocation of a new key; its attempts fail with `answers`, then one succeeds. */
async function revoke(...answers: Error[]) {
  const id = `key_${++count}`;
  const finish = vi.fn(async () => {
    const failure = answers.shift();
    if (failure) throw failure;
  });
  const undo = vi.fn();
  const texts = { message: "suspended", unreachable: "no connection" };
  const before = new Set(toast.getToasts().map((one) => one.id));
  postpone({ id, undo, finish, ...texts, failed: (error) => `not revoked: ${error}` });
  await vi.advanceTimersByTimeAsync(0);
  const shown = () => {
    const found = toast.getToasts().find((one) => !before.has(one.id));
    return found && "title" in found ? found : undefined;
  };
  const press = async (label: string) => {
    const action: unknown = shown()?.action;
    expect(action).toMatchObject({ label });
    const onClick: unknown = Reflect.get(Object(action), "onClick");
    if (typeof onClick === "function") onClick();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { undo, finish, press, text: () => shown()?.title };
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const unreachable = () => new CallError(0, "network.unreachable", "no answer");

test("the final step runs when the time for Undo is over, and not before", async () => {
  const { finish, undo, text } = await revoke();
  expect(text()).toBe("suspended");
  await pass(undoMs - 1);
  expect(finish).not.toHaveBeenCalled();
  await pass(1);
  expect(finish).toHaveBeenCalledOnce();
  expect(text()).toBeUndefined();
  expect(undo).not.toHaveBeenCalled();
});

test("Undo reverts the change, and no final step follows", async () => {
  const { finish, undo, press, text } = await revoke();
  await pass(undoMs - 1);
  await press("Undo");
  page.dispatchEvent(new Event("pagehide"));
  await pass(10 * undoMs);
  expect(undo).toHaveBeenCalledOnce();
  expect(finish).not.toHaveBeenCalled();
  expect(text()).toBeUndefined();
});

test("leaving the page runs the final step at once and only once", async () => {
  const { finish, text } = await revoke();
  page.dispatchEvent(new Event("pagehide"));
  expect(finish, "within the event: nothing runs after it").toHaveBeenCalledOnce();
  await pass(10 * undoMs);
  expect(finish).toHaveBeenCalledOnce();
  expect(text()).toBeUndefined();
});

test("signing out waits for all final steps, which need the session", async () => {
  const [one, other] = [await revoke(), await revoke()];
  const finished = () => one.finish.mock.calls.length + other.finish.mock.calls.length;
  let finishedBefore = 0;
  vi.stubGlobal("fetch", async () => {
    finishedBefore = finished();
    throw new Error("that is enough");
  });
  await expect(signOut(new QueryClient())).rejects.toThrow("that is enough");
  expect(finishedBefore).toBe(2);
});

test("signing out cancels pending reads, which would be rejected", async () => {
  const queries = new QueryClient();
  let reading: AbortSignal | undefined;
  const queryFn = ({ signal }: { signal: AbortSignal }) => {
    reading = signal;
    return new Promise(() => undefined);
  };
  const read = queries.fetchQuery({ queryKey: ["keys"], queryFn }).catch(() => undefined);
  let isCancelled = false;
  vi.stubGlobal("fetch", async () => {
    isCancelled = reading?.aborted === true;
    throw new Error("that is enough");
  });
  await expect(signOut(queries)).rejects.toThrow("that is enough");
  await read;
  expect(isCancelled).toBe(true);
});

test("Undo does not disappear under the pointer, up to a limit", async () => {
  const { finish } = await revoke();
  isHeld = true;
  await pass(undoMs);
  expect(finish).not.toHaveBeenCalled();
  isHeld = false;
  await pass(500);
  expect(finish).toHaveBeenCalledOnce();
  const other = await revoke();
  isHeld = true;
  await pass(60_000);
  expect(other.finish).toHaveBeenCalledOnce();
});

test("without a connection it is retried until there is one, with a message", async () => {
  const { finish, text } = await revoke(unreachable(), unreachable());
  await pass(undoMs);
  expect(text()).toBe("no connection");
  page.dispatchEvent(new Event("pagehide"));
  expect(finish, "leaving is the last chance").toHaveBeenCalledTimes(2);
  await pass(5000);
  expect(finish).toHaveBeenCalledTimes(3);
  expect(text()).toBeUndefined();
});

test("a rejected final step shows a message with a retry", async () => {
  const { finish, text, press } = await revoke(new CallError(403, "user.locked", "locked"));
  await pass(undoMs);
  expect(text()).toBe("not revoked: Error: locked");
  await pass(100 * undoMs);
  expect(finish, "not without being asked").toHaveBeenCalledOnce();
  await press("Try again");
  expect(finish).toHaveBeenCalledTimes(2);
  expect(text()).toBeUndefined();
});
