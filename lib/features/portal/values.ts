import type { FailureKind } from "@/lib/features/connections/failure";
import type { Trial } from "@/lib/features/connections/trial";
import type { SetUpStep } from "@/lib/features/sessions/steps-contract";

/** Why a form was rejected, as the API's error says it. */
export interface FormProblem {
  status: number;
  code: string;
  detail: string;
  reason?: string;
  requestId?: string;
  retryAfterSeconds?: number;
}

/** What a form that a browser sent by itself came to: the page shows itself again with it. */
export interface PostedForm {
  /** What was typed, by field; never a password. */
  values: Readonly<Record<string, string>>;
  problem?: FormProblem;
  /** What the page shows now, where that is not the form again. */
  step?:
    | "change-password"
    | "second-factor"
    | "set-up"
    | "recovery-codes"
    | "requested"
    | "opened"
    | "confirmed";
  /** What sets a second factor up. */
  setUp?: SetUpStep;
  /** Shown once. */
  recoveryCodes?: string[];
  /** The encrypted secret that a hand-off held. */
  opened?: { sealed: string; name: string; validTo: string };
}

/** The header in which the server gives a page the outcome of its form. Nobody else can send it: its name is reserved. */
export const postedFormHeader = "x-gatehouse-form";

/** The address to go to after signing in; undefined for what is not a page of the portal. */
export const ownPath = (next: string | null | undefined): string | undefined =>
  next && /^\/(?:t|platform)\/[\w/?=&%.#~-]*$/.test(next) ? next : undefined;

/** For what somebody goes to an identity provider. */
export type FlowIntent = "sign-in" | "accept" | "link" | "try" | "step-up";

/** What a browser carries from the beginning of a sign-in at a provider to its end. */
export interface Flow {
  tenantId: string;
  connectionId: string;
  intent: FlowIntent;
  /** Of the request to the provider: the answer has to name the same. */
  state: string;
  /** Where the person wanted to go. */
  next: string | undefined;
  /** The token of the invitation that is accepted. */
  invitation: string | undefined;
  /** Whose session it is, of a link, a trial or a step-up. */
  userId: string | undefined;
  /** The tenant of that session: with a step-up any that the person is signed in to. */
  acting: string;
  /** In seconds: a step-up needs a sign-in at the provider from then on. */
  startedAt: number;
}

/** What the page after a sign-in at a provider shows. */
export type SignInOutcome = {
  /** Of the connection; empty where there is none. */
  name: string;
  tenant: string;
  requestId: string;
} & (
  | { is: "failure"; kind: FailureKind; value: string | undefined; intent: FlowIntent }
  | { is: "trial"; trial: Trial }
  | { is: "stepped-up" }
);

/** What a form sends as text; undefined for what is no JSON. */
export function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
