/** Why a sign-in at an identity provider failed. The error page has a text for each. */
export type FailureKind =
  | "not-begun"
  | "disabled"
  | "secret-unreadable"
  | "unreachable"
  | "metadata-invalid"
  | "client-rejected"
  | "code-rejected"
  | "refused"
  | "token-invalid"
  | "replayed"
  | "claim-missing"
  | "claim-invalid"
  | "domain-not-allowed"
  | "not-linked"
  | "login-taken"
  | "linked-elsewhere"
  | "invitation-invalid"
  | "no-entry"
  | "session-over"
  | "not-fresh"
  | "somebody-else"
  | "still-signed-in"
  | "failed";

/** Thrown when a sign-in at a provider fails. `value` is the affected claim, field or address, never a secret. */
export class SignInFailure extends Error {
  readonly kind: FailureKind;
  readonly value: string | undefined;

  constructor(kind: FailureKind, value?: string, cause?: unknown) {
    super(value === undefined ? kind : `${kind}: ${value}`, { cause });
    this.kind = kind;
    this.value = value;
  }
}
