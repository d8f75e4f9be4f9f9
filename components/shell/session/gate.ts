interface Waiting {
  promise: Promise<void>;
  resolve: () => void;
  focused: Element | null;
  /** When the session ends, where the person signs in again before that. */
  endsAt: number | undefined;
}

/** While the person is to sign in again: who waits for that. */
let waiting: Waiting | undefined;
const listeners = new Set<() => void>();

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

function ask(endsAt: number | undefined): Waiting {
  const { promise, resolve } = Promise.withResolvers<void>();
  const focused = waiting?.focused ?? document.activeElement;
  // Calls that wait already continue with this one.
  if (waiting) void promise.then(waiting.resolve);
  waiting = { promise, resolve, focused, endsAt };
  notifyListeners();
  return waiting;
}

/** Resolves when the person has signed in again; the dialog that asks for it opens by itself. */
export function signInAgain(): Promise<void> {
  const asked = waiting && sessionGate.isOver() ? waiting : ask(undefined);
  return asked.promise;
}

/** Opens the same dialog before the session ends: it can be closed. */
export function signInEarly(endsAt: number): void {
  if (!waiting) ask(endsAt);
}

function leave(): Waiting | undefined {
  const left = waiting;
  waiting = undefined;
  notifyListeners();
  setTimeout(() => left?.focused instanceof HTMLElement && left.focused.focus(), 50);
  return left;
}

export function signedInAgain(): void {
  leave()?.resolve();
}

/** Closes the dialog of somebody who signs in later. */
export function signInLater(): void {
  if (waiting?.endsAt !== undefined) leave();
}

export const sessionGate = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  isClosed: () => waiting !== undefined,
  /** Whether the session has ended, and not only is about to. */
  isOver: () => waiting !== undefined && waiting.endsAt === undefined,
  /** When the session ends, where it has not yet. */
  endsAt: () => waiting?.endsAt,
};
