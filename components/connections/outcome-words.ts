import { type Message, msg } from "@/components/texts/t";
import type { SignInOutcome } from "@/lib/features/portal/values";

export type FailureKind = Extract<SignInOutcome, { is: "failure" }>["kind"];

interface Words {
  title: Message;
  /** The next step for the user. */
  detail: Message;
  /** The remedy for an administrator of the tenant. */
  remedy?: Message;
}

const unverified = {
  title: msg("The provider's answer was not accepted"),
  detail: msg("What is not as expected in its answer: {value}. Try again."),
  remedy: msg(
    "If it happens again: compare the issuer and the client ID of the connection with what the provider shows, and its clock with the right time.",
  ),
};

/** The outcomes of a sign-in at a provider, and their remedies. */
export const failureWords: Record<FailureKind, Words> = {
  "not-begun": {
    title: msg("This sign-in was not begun in this browser"),
    detail: msg("Or it took longer than 15 minutes, or was used before. Sign in again."),
  },
  disabled: {
    title: msg("Nobody can sign in with this provider"),
    detail: msg("It was disabled or deleted. Sign in with your password."),
    remedy: msg("Enable the connection in the settings of the tenant."),
  },
  "secret-unreadable": {
    title: msg("The client secret cannot be read"),
    detail: msg("Sign in with your password until it is entered again."),
    remedy: msg("The service's secret key was replaced. Enter the client secret again."),
  },
  unreachable: {
    title: msg("The provider does not answer"),
    detail: msg("What was asked for: {value}. Try again in a few minutes."),
    remedy: msg(
      "Compare the issuer of the connection with what the provider shows. It must be reachable from this service, by https and without a redirect.",
    ),
  },
  "metadata-invalid": {
    title: msg("The provider describes itself differently"),
    detail: msg("The field {value} of its openid-configuration is missing or not usable."),
    remedy: msg(
      "Enter the issuer exactly as the provider's openid-configuration has it, with or without a slash at the end.",
    ),
  },
  "client-rejected": {
    title: msg("The provider does not accept this service"),
    detail: msg("Sign in with your password until it is corrected."),
    remedy: msg("Enter the client ID and the client secret as the provider shows them."),
  },
  "code-rejected": {
    title: msg("The provider rejected the sign-in"),
    detail: msg("It was used before, or took too long. Sign in again."),
    remedy: msg("If it happens again: register the redirect URI of the connection."),
  },
  refused: {
    title: msg("The provider did not sign you in"),
    detail: msg("It says: {value}. You may have cancelled, or not be assigned to this service."),
    remedy: msg("Assign the person to this service at the provider."),
  },
  "token-invalid": unverified,
  replayed: {
    title: msg("This sign-in was used before"),
    detail: msg("Sign in again."),
  },
  "claim-missing": {
    title: msg("The provider does not say enough about you"),
    detail: msg("The claim {value} is missing."),
    remedy: msg(
      "Have the provider send this claim, ask for the scope that includes it, or name another claim in the connection.",
    ),
  },
  "claim-invalid": {
    title: msg("The provider says something that cannot be used"),
    detail: msg("The claim {value} does not have a usable value."),
    remedy: msg("Correct the person at the provider, or name another claim in the connection."),
  },
  "domain-not-allowed": {
    title: msg("Your e-mail domain is not allowed"),
    detail: msg("The domain is {value}."),
    remedy: msg("Add the domain to the connection, or invite the person."),
  },
  "not-linked": {
    title: msg("No account is linked with you at this provider"),
    detail: msg(
      "If you have an account: sign in with your password and link the provider on your own page.",
    ),
    remedy: msg("Invite the person, or let the connection create an account at the first sign-in."),
  },
  "login-taken": {
    title: msg("There is an account with your login already"),
    detail: msg(
      "The login is {value}. If it is yours: sign in with your password and link the provider on your own page.",
    ),
    remedy: msg(
      "An existing account is never taken over by its login or e-mail address. Send its owner a link to set a password.",
    ),
  },
  "invitation-invalid": {
    title: msg("The invitation is not valid any more"),
    detail: msg("It was used, has expired, or the account has changed since. Ask for a new one."),
  },
  "linked-elsewhere": {
    title: msg("Somebody else has linked this account at the provider"),
    detail: msg("Sign out at the provider, and link your own account there."),
  },
  "no-entry": {
    title: msg("You cannot sign in"),
    detail: msg("The provider knows you, and the service does not let you in: {value}."),
    remedy: msg("Look at the account in the list of users: its state, lock and roles."),
  },
  "session-over": {
    title: msg("Your session has ended meanwhile"),
    detail: msg("Sign in, and begin again."),
  },
  "not-fresh": {
    title: msg("The provider did not ask you to sign in again"),
    detail: msg("It only recognised your browser. Try again; sign out at the provider before."),
    remedy: msg(
      "Let the provider ask again where prompt=login is sent, and send the claim auth_time.",
    ),
  },
  "somebody-else": {
    title: msg("Somebody else signed in at the provider"),
    detail: msg("Sign in there with the account that you use here."),
  },
  "still-signed-in": {
    title: msg("You may still be signed in at the provider"),
    detail: msg(
      "You are signed out here. The provider did not say where to sign out: do it there.",
    ),
  },
  failed: {
    title: msg("Something failed on our side"),
    detail: msg("Try again. If it happens again, give the request id to the operator."),
  },
};
