import type { Refusal } from "./sign-in-call";

interface Words {
  title: string;
  detail: string;
}

const byCode: Record<string, Words> = {
  "auth.login-failed": {
    title: "Tenant, login and password do not belong together",
    detail:
      "Check all three. Nothing tells which of them differs, so that nobody can probe for logins.",
  },
  "user.locked": {
    title: "Your account is locked",
    detail: "The password is right. Ask an administrator of the tenant to unlock you.",
  },
  "user.deactivated": {
    title: "Your account is deactivated",
    detail: "The password is right. Ask an administrator of the tenant to reactivate you.",
  },
  "user.no-role": {
    title: "You have no role in this tenant",
    detail: "The password is right. Ask an administrator of the tenant for a role.",
  },
  "auth.password-expired": {
    title: "The one-time password has ended",
    detail: "The password was right. Ask an administrator for a new one.",
  },
  "auth.busy": { title: "Many people are signing in", detail: "Try again in a few seconds." },
};

/** What a refused sign-in means and what to do, told apart by code. */
export function refusalWords(refusal: Refusal): Words {
  return (
    byCode[refusal.code] ?? { title: "The sign-in did not go through", detail: refusal.detail }
  );
}
