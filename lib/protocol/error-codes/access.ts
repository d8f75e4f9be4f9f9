import { type CodeEntry, code } from "./entry";

/** Codes of credentials, tenants, sites and signing in. */
export const accessCodes = {
  "auth.credentials-missing": code(
    401,
    "No credential was sent.",
    "Send an API key, a session id or a bearer token that this operation accepts.",
  ),
  "auth.credentials-invalid": code(
    401,
    "The credential is not valid here.",
    "Check the credential and the tenant it was made in.",
  ),
  "auth.login-failed": code(
    401,
    "The login or the password is not right.",
    "Check tenant, login and password.",
  ),
  "auth.scheme-not-accepted": code(
    401,
    "This operation does not accept this kind of credential.",
    "Use the kind of credential named in the reference.",
  ),
  "auth.ambiguous-credentials": code(
    400,
    "More than one kind of credential was sent.",
    "Send exactly one.",
  ),
  "auth.credentials-expired": code(
    403,
    "The credential has expired.",
    "Sign in again or create a new API key. reason holds the instant of expiry.",
  ),
  "auth.password-expired": code(
    403,
    "The one-time password has expired.",
    "Ask an administrator for a new one. reason holds the instant of expiry.",
  ),
  "auth.password-change-required": code(
    403,
    "The one-time password must be changed first.",
    "Set a new password with the operation in reason.",
  ),
  "auth.api-key-suspended": code(
    403,
    "The API key is suspended.",
    "Ask its owner or an administrator to resume the key in reason.",
  ),
  "auth.address-not-allowed": code(
    403,
    "The API key may not be used from this address.",
    "Send the request from an allowed address, or change the key's allowed addresses. reason holds the address that was seen.",
  ),
  "auth.token-wrong-kind": code(
    401,
    "The token is of another kind than this operation needs.",
    "Send the kind of token named in reason.",
  ),
  "auth.token-wrong-site": code(
    401,
    "The token was made for another site.",
    "Send the X-Service-Site that the token was made for.",
  ),
  "auth.refresh-token-reused": code(
    401,
    "The refresh token was used before, so its whole sign-in was ended.",
    "Sign in again. If you used each refresh token once, somebody else has one of yours.",
  ),
  "auth.second-factor-required": code(
    403,
    "The password is right, and the user has a second factor.",
    "Send the challenge in reason with a code to POST /v1/user/session-login/second-factor within 5 minutes, from the same network.",
  ),
  "auth.second-factor-setup-required": code(
    403,
    "The tenant requires a second factor, and the user has none.",
    "Send the challenge in reason to POST /v1/user/session-login/set-up within 30 minutes, from the same network. At a switch, reason is the home tenant: set a second factor up there.",
  ),
  "auth.second-factor-failed": code(
    401,
    "The code is not right, or was used before.",
    "Send the code that the authenticator app shows now, or a recovery code. reason holds how many tries the challenge has left.",
  ),
  "auth.challenge-invalid": code(
    401,
    "The challenge is not valid, has expired or was used.",
    "Sign in with the password again: a challenge works once, for 5 minutes and 5 tries, from the network that it was made for.",
  ),
  "auth.passkey-failed": code(
    401,
    "The passkey does not sign in here, or was not used in time.",
    "Ask for new options and sign in again, in the home tenant of the passkey's owner. Otherwise sign in with the password.",
  ),
  "second-factor.unreadable": code(
    409,
    "The service can no longer read what it keeps of the second factor.",
    "Use a passkey, or ask an administrator to reset your second factors. The operator reads in the log that SECRET_KEY is not the one that they were sealed under.",
  ),
  "second-factor.not-found": code(
    404,
    "You have no such second factor, or it was not confirmed in time.",
    "List your second factors, or set one up anew.",
  ),
  "second-factor.confirmed": code(
    409,
    "The second factor is confirmed already.",
    "Nothing is left to do: sign-ins ask for its codes.",
  ),
  "second-factor.limit-reached": code(
    409,
    "You have as many second factors as a person may have.",
    "Remove one first. reason is the limit.",
  ),
  "second-factor.not-set-up": code(
    409,
    "The user has no second factor.",
    "Set one up first, in the user's home tenant. There is nothing to reset.",
  ),
  "auth.step-up-required": code(
    401,
    "The last proof of identity is too old for this operation.",
    "Confirm your identity with POST /v1/user/session/step-up, with what reason names, then repeat the request. Where reason is TENANT.CONNECTION, the person signs in again at that identity provider, in the portal. max_age of WWW-Authenticate is the longest time since then, in seconds.",
  ),
  "auth.permission-missing": code(
    403,
    "Your roles do not allow this.",
    "Ask an administrator for a role with the permission in reason.",
  ),
  "auth.api-key-restricted": code(
    403,
    "The API key was not given the permission that this needs.",
    "Use a key that was made with the permission in `reason`, or one without limits. The owner's roles need no change.",
  ),
  "auth.api-key-unrestricted": code(
    403,
    "The API key is not restricted to permissions that include the one that this needs.",
    "Use a key whose restriction names the permission in reason. A key without restrictions is not enough here.",
  ),
  "auth.api-key-of-person": code(
    403,
    "The API key belongs to a person, and this accepts keys of service users only.",
    "Sign in, or use a key of a service user whose restriction names the permission in reason.",
  ),
  "auth.too-many-attempts": code(
    429,
    "Too many failed sign-ins.",
    "Wait as long as Retry-After says.",
  ),
  "auth.busy": code(503, "Too many sign-ins are being checked.", "Try again in a few seconds."),
  "role.not-grantable": code(
    403,
    "You may not grant or take away this role.",
    "Ask somebody who holds the role in reason.",
  ),
  "role.held-by-group": code(
    409,
    "A group of the identity provider gives this role.",
    "Take the person out of the group at the provider, or change the roles of the group in the connection. reason holds the role.",
  ),
  "auth.link-invalid": code(
    401,
    "The link or password token is not valid, or was used already.",
    "Ask an administrator, or the shop, for a new one.",
  ),
  "auth.link-expired": code(
    403,
    "The link has expired.",
    "Ask an administrator for a new one. reason holds the instant of expiry.",
  ),
  "link.void": code(
    401,
    "The link or token is void.",
    "The account changed since it was created, or its issuer lost the right to create it. Ask for a new one.",
  ),
  "password.unsuitable": code(
    400,
    "The new password cannot be used.",
    "Choose a long one that is not common, not a sequence or repetition, and not made of the login, a name or the tenant. detail says what is wrong with this one.",
  ),
  "session.not-found": code(
    404,
    "There is no such session.",
    "It may have ended. List the sessions again.",
  ),
  "session.same-tenant": code(
    409,
    "The session already belongs to this tenant.",
    "Use the session you have. Sign in with the password for a new one.",
  ),
  "origin.not-allowed": code(
    403,
    "Pages of this origin may not call this site.",
    "Add the origin in reason to the allowed origins of the site, exactly as the browser sends it.",
  ),
  "tenant.mismatch": code(
    400,
    "The tenants in header and body differ.",
    "Send the same tenant in both.",
  ),
  "signup.closed": code(
    403,
    "Sign-up is closed on this installation.",
    "Ask the operator to create a tenant, or to turn on the setting in reason.",
  ),
  "mail.off": code(
    403,
    "This installation sends no mail.",
    "Ask an administrator of the tenant for a link to reset the password, or the operator to set the setting in reason.",
  ),
  "tenant.id-taken": code(409, "There is a tenant of this id.", "Choose another id."),
  "tenant.sandbox-only": code(409, "Only a sandbox can do this.", "Do it in a sandbox."),
  "tenant.not-found": code(404, "There is no such tenant.", "Check the id."),
  "site.id-taken": code(409, "The tenant has a site of this id.", "Choose another id."),
  "site.name-taken": code(
    409,
    "The tenant has a site of this name.",
    "Choose another name. Upper and lower case count as the same.",
  ),
  "site.not-found": code(404, "The tenant has no such site.", "Check the id."),
  "site.not-empty": code(
    409,
    "Something still belongs to the site.",
    "Remove what reason names, then delete the site.",
  ),
  "access-request.not-found": code(
    404,
    "There is no such request for access that the caller may decide.",
    "List the requests again: it may have ended, or the rights of the caller changed.",
  ),
  "access-request.decided": code(
    409,
    "Somebody else decided the request for access.",
    "List the requests again.",
  ),
  "access-request.not-needed": code(
    409,
    "The caller has the role already.",
    "Load the page again. reason holds the role.",
  ),
  "access-request.limit-reached": code(
    409,
    "Too many requests for access are open.",
    "Wait until some are decided. reason holds the limit.",
  ),
  "site.unknown": code(400, "The tenant has no such site.", "Check the site id in X-Service-Site."),
} as const satisfies Record<string, CodeEntry>;
