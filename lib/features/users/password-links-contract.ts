import { z } from "zod";
import { passwordLinkCodes, userGuardCodes } from "@/lib/protocol/code-groups";
import { automation, endpoint, inSession } from "@/lib/protocol/endpoint";
import {
  EmailAddress,
  InstantAnswer,
  Label,
  NewLogin,
  NewPasswordText,
} from "@/lib/protocol/formats";
import { NewRoles } from "./administration-contract";

export const NewInvitation = z.strictObject({
  login: NewLogin,
  name: Label,
  emailAddress: EmailAddress,
  roles: NewRoles,
});

/** A link to set a password once. Its fragment has the token too, which is stored nowhere. */
export const PasswordLink = z.object({
  id: z.string(),
  url: z.string(),
  token: z.string(),
  expiresAt: InstantAnswer,
});

export const inviteUser = endpoint({
  operation: "POST /v1/user/invitations",
  summary:
    "Invite somebody: a session is answered a link to accept with a password, shown only here",
  description:
    "Whoever has the link becomes the user. An API key is therefore answered an empty url and token, and there is no link yet: somebody with a session creates it with POST /v1/user/{id}/password-reset.",
  ...automation,
  permission: "user.manage",
  status: 201,
  body: NewInvitation,
  answer: PasswordLink,
  replay: { secretId: "id" },
  codes: [
    "user.login-taken",
    "role.not-grantable",
    "quota.exceeded",
    "site.unknown",
    "auth.permission-missing",
    "auth.step-up-required",
  ],
});

export const createPasswordReset = endpoint({
  operation: "POST /v1/user/{id}/password-reset",
  stepUp: "policy",
  summary:
    "Make a link with which a user sets a new password; for one who is invited, a new invitation",
  ...inSession("passwordLink"),
  permission: "user.manage",
  status: 201,
  answer: PasswordLink,
  replay: { secretId: "id" },
  codes: [
    ...userGuardCodes,
    "user.oneself",
    "user.other-home",
    "user.no-password",
    "user.erased",
    "user.deactivated",
    "auth.password-not-accepted",
  ],
});

const NewPassword = z.strictObject({
  token: z.string().min(1).max(512),
  password: NewPasswordText,
});
const byPossession = {
  credentials: [],
  limits: { body: 8 * 1024, address: "login" },
  body: NewPassword,
} as const;

export const acceptInvitation = endpoint({
  operation: "POST /v1/user/invitations/accept",
  summary: "Accept an invitation with a password",
  ...byPossession,
  answer: z.object({ id: z.string(), tenant: z.string(), login: z.string(), name: z.string() }),
  codes: [...passwordLinkCodes],
});

export const requestPasswordReset = endpoint({
  operation: "POST /v1/user/password-resets",
  summary:
    "Request a link to reset one's password by mail; the response never tells whether there is such a login",
  description:
    "The link goes to the e-mail address of the user, works once and for an hour, and replaces an earlier one. Requests for one login within 15 minutes give one mail, and a user gets at most 5 a day. Programs, invited, deactivated and locked users get none.",
  credentials: [],
  limits: { body: 8 * 1024, address: "reset-request" },
  requires: ["mail"],
  body: z.strictObject({ login: z.string().min(1).max(512) }),
  status: 202,
  answer: z.object({}),
  codes: [],
});

export const confirmPasswordReset = endpoint({
  operation: "POST /v1/user/password-resets/confirm",
  summary: "Set a new password with the token of a reset link; every session of the user ends",
  ...byPossession,
  status: 204,
  codes: [...passwordLinkCodes],
});
