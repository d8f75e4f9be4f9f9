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
  step?: "change-password" | "second-factor" | "requested" | "opened" | "confirmed";
  /** The encrypted secret that a hand-off held. */
  opened?: { sealed: string; name: string; validTo: string };
}

/** The header in which the server gives a page the outcome of its form. Nobody else can send it: its name is reserved. */
export const postedFormHeader = "x-gatehouse-form";

/** The address to go to after signing in; undefined for what is not a page of the portal. */
export const ownPath = (next: string | null | undefined): string | undefined =>
  next && /^\/(?:t|platform)\/[\w/?=&%.#~-]*$/.test(next) ? next : undefined;
