import { type Message, msg, t, translated } from "@/components/texts/t";
import type { SignInFailure } from "./sign-in-call";

interface Words<Text> {
  title: Text;
  detail: Text;
}

const byCode: Record<string, Words<Message>> = {
  "auth.login-failed": {
    title: msg("Incorrect tenant, login or password"),
    detail: msg("Check all three and try again."),
  },
  "user.locked": {
    title: msg("Your account is locked"),
    detail: msg(
      "Your password is correct. Ask an administrator of the tenant to unlock your account.",
    ),
  },
  "user.deactivated": {
    title: msg("Your account is deactivated"),
    detail: msg(
      "Your password is correct. Ask an administrator of the tenant to reactivate your account.",
    ),
  },
  "user.no-role": {
    title: msg("You have no role in this tenant"),
    detail: msg("Your password is correct. Ask an administrator of the tenant for a role."),
  },
  "auth.password-expired": {
    title: msg("The one-time password has expired"),
    detail: msg("Ask an administrator for a new one."),
  },
  "auth.second-factor-failed": {
    title: msg("Incorrect code"),
    detail: msg("It is not the present code, or it was used before. Wait for the next one."),
  },
  "auth.passkey-failed": {
    title: msg("The passkey was not accepted"),
    detail: msg("It belongs to another tenant or user, or too much time has passed. Try again."),
  },
  "passkey.no-tenant": {
    title: msg("Which tenant?"),
    detail: msg("Enter the tenant, then use your passkey."),
  },
  "passkey.not-used": {
    title: msg("No passkey was used"),
    detail: msg("Try again, or sign in with your password."),
  },
  "second-factor.unreadable": {
    title: msg("Your second factor cannot be read"),
    detail: msg(
      "The key of the service was replaced. Use a passkey, or ask an administrator to reset your second factors.",
    ),
  },
  "auth.challenge-invalid": {
    title: msg("Sign in again"),
    detail: msg("Too much time has passed since the password, or too many codes were wrong."),
  },
  "auth.password-not-accepted": {
    title: msg("Sign in at your company's provider"),
    detail: msg("Only emergency administrators of your tenant may sign in with a password."),
  },
  "auth.passkey-not-accepted": {
    title: msg("Your tenant does not accept passkeys"),
    detail: msg("Sign in at your company's provider, or with your password."),
  },
  "auth.busy": {
    title: msg("Many people are signing in"),
    detail: msg("Try again in a few seconds."),
  },
};

/** The explanation and remedy of a rejected sign-in, by code. */
export function failureWords(failure: SignInFailure): Words<string> {
  const known = byCode[failure.code];
  if (known) return { title: t(known.title), detail: t(known.detail) };
  return { title: t("Sign-in failed"), detail: translated(failure.detail) };
}
