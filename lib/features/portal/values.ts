import type { FailureKind } from "@/lib/features/connections/failure";
import type { Trial } from "@/lib/features/connections/trial";
import type { SetUpStep } from "@/lib/features/sessions/steps-contract";

/** The API error with which a form was rejected. */
export interface FormProblem {
  status: number;
  code: string;
  detail: string;
  reason?: string;
  requestId?: string;
  retryAfterSeconds?: number;
}

/** The result of a form that a browser submitted natively: the page is rendered again with it. */
export interface PostedForm {
  /** The submitted values, by field; never a password. */
  values: Readonly<Record<string, string>>;
  problem?: FormProblem;
  /** The next step to show, if it is not the same form. */
  step?:
    | "change-password"
    | "second-factor"
    | "set-up"
    | "recovery-codes"
    | "requested"
    | "opened"
    | "confirmed";
  /** The data to set up a second factor. */
  setUp?: SetUpStep;
  /** Shown once. */
  recoveryCodes?: string[];
  /** The encrypted secret of a hand-off. */
  opened?: { sealed: string; name: string; validTo: string };
}

/** The header in which the server gives a page the outcome of its form. Clients cannot send it: its name is reserved. */
export const postedFormHeader = "x-gatehouse-form";

/** The redirect target after signing in; undefined if it is not a page of the portal. */
export const ownPath = (next: string | null | undefined): string | undefined =>
  next && /^\/(?:t|platform)\/[\w/?=&%.#~-]*$/.test(next) ? next : undefined;

/** The purpose of a flow at an identity provider. */
export type FlowIntent = "sign-in" | "accept" | "link" | "try" | "step-up";

/** The state of a sign-in at a provider, stored in the browser's cookie. */
export interface Flow {
  tenantId: string;
  connectionId: string;
  intent: FlowIntent;
  /** The `state` of the request to the provider: the callback must have the same. */
  state: string;
  /** The page to open afterwards. */
  next: string | undefined;
  /** The token of the invitation that is accepted. */
  invitation: string | undefined;
  /** The user of the session, for a link, a trial or a step-up. */
  userId: string | undefined;
  /** The tenant of that session: for a step-up any that the user is signed in to. */
  acting: string;
  /** In seconds: a step-up requires a sign-in at the provider after it. */
  startedAt: number;
}

/** The outcome that the page after a sign-in at a provider shows. */
export type SignInOutcome = {
  /** The name of the connection; empty without one. */
  name: string;
  tenant: string;
  requestId: string;
} & (
  | { is: "failure"; kind: FailureKind; value: string | undefined; intent: FlowIntent }
  | { is: "trial"; trial: Trial }
  | { is: "stepped-up" }
);

/** The value of JSON text in a form; undefined for invalid JSON. */
export function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
