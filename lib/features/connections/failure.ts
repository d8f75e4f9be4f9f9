/** Why a sign-in at an identity provider failed. The page that shows it has words for each. */
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

/** Thrown where a sign-in at a provider ends. `value` is the claim, field or address that it is about, never a secret. */
export class SignInFailure extends Error {
  readonly kind: FailureKind;
  readonly value: string | undefined;

  constructor(kind: FailureKind, value?: string, cause?: unknown) {
    super(value === undefined ? kind : `${kind}: ${value}`, { cause });
    this.kind = kind;
    this.value = value;
  }
}
