/**
 * The required proof: a password, with a second factor a passkey or a code, and for users who
 * only have an identity provider a sign-in there (`TENANT.CONNECTION`).
 */
export type ProofKind = "password" | "code" | "passkey" | `${string}.conn_${string}`;

const isKind = (reason: string | undefined): reason is ProofKind =>
  reason === "code" || reason === "passkey" || /^[^.]+\.conn_\w+$/.test(reason ?? "");

interface Waiting {
  kind: ProofKind;
  promise: Promise<boolean>;
  resolve: (isProven: boolean) => void;
  focused: Element | null;
}

/** The pending confirmation, while the dialog is open. */
let waiting: Waiting | undefined;
const listeners = new Set<() => void>();

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/** Asks the user for a proof of identity. Resolves to false when they close the dialog. Concurrent calls share one dialog. */
export function confirmIdentity(reason: string | undefined): Promise<boolean> {
  if (!waiting) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    waiting = {
      kind: isKind(reason) ? reason : "password",
      promise,
      resolve,
      focused: document.activeElement,
    };
    notifyListeners();
  }
  return waiting.promise;
}

export function endIdentityCheck(isProven: boolean): void {
  const left = waiting;
  waiting = undefined;
  notifyListeners();
  setTimeout(() => left?.focused instanceof HTMLElement && left.focused.focus(), 50);
  left?.resolve(isProven);
}

export const stepUpGate = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  asked: (): ProofKind | undefined => waiting?.kind,
};
