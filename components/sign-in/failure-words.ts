import type { SignInFailure } from "./sign-in-call";

interface Words {
  title: string;
  detail: string;
}

const byCode: Record<string, Words> = {
  "auth.login-failed": {
    title: "Incorrect tenant, login or password",
    detail: "Check all three and try again.",
  },
  "user.locked": {
    title: "Your account is locked",
    detail: "Your password is correct. Ask an administrator of the tenant to unlock your account.",
  },
  "user.deactivated": {
    title: "Your account is deactivated",
    detail:
      "Your password is correct. Ask an administrator of the tenant to reactivate your account.",
  },
  "user.no-role": {
    title: "You have no role in this tenant",
    detail: "Your password is correct. Ask an administrator of the tenant for a role.",
  },
  "auth.password-expired": {
    title: "The one-time password has expired",
    detail: "Ask an administrator for a new one.",
  },
  "auth.busy": { title: "Many people are signing in", detail: "Try again in a few seconds." },
};

/** What a rejected sign-in means and what to do, by code. */
export function failureWords(failure: SignInFailure): Words {
  return byCode[failure.code] ?? { title: "Sign-in failed", detail: failure.detail };
}
