/** While the session is over: who waits for the next sign-in. */
let waiting: { promise: Promise<void>; resolve: () => void; focused: Element | null } | undefined;
const listeners = new Set<() => void>();

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/** Resolves when the person has signed in again; the dialog that asks for it opens by itself. */
export function signInAgain(): Promise<void> {
  if (!waiting) {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = { promise, resolve, focused: document.activeElement };
    notifyListeners();
  }
  return waiting.promise;
}

export function signedInAgain(): void {
  const over = waiting;
  waiting = undefined;
  notifyListeners();
  over?.resolve();
  setTimeout(() => over?.focused instanceof HTMLElement && over.focused.focus(), 50);
}

export const sessionGate = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  isClosed: () => waiting !== undefined,
};
