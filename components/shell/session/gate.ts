interface Waiting {
  promise: Promise<void>;
  resolve: () => void;
  focused: Element | null;
  /** The end of the session, when the user signs in again before it. */
  endsAt: number | undefined;
}

/** The pending sign-in, while the user has to sign in again. */
let waiting: Waiting | undefined;
const listeners = new Set<() => void>();

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

function ask(endsAt: number | undefined): Waiting {
  const { promise, resolve } = Promise.withResolvers<void>();
  const focused = waiting?.focused ?? document.activeElement;
  // Waiting calls continue after this sign-in too.
  if (waiting) void promise.then(waiting.resolve);
  waiting = { promise, resolve, focused, endsAt };
  notifyListeners();
  return waiting;
}

/** Resolves when the user has signed in again, and opens the dialog for it. */
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

/** Closes the dialog when the user decides to sign in later. */
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
  /** Whether the session has ended, as opposed to being about to. */
  isOver: () => waiting !== undefined && waiting.endsAt === undefined,
  /** The end of the session, if it has not ended yet. */
  endsAt: () => waiting?.endsAt,
};
