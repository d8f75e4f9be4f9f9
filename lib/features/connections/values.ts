/** The most identity providers of a tenant. */
export const maxConnections = 5;

/** The most linked accounts of one user. */
export const maxIdentities = 10;

/** Who may sign in: only users who linked an account at the provider, or new users as well. */
export const provisionings = ["linked-only", "on-first-sign-in"] as const;

/** The claim of an ID token with the externalId of provisioned users. Users cannot choose the value of either. */
export const externalIdClaims = ["none", "sub", "oid"] as const;

/** The most groups to which a connection assigns roles. */
export const maxGroupRoles = 50;

export const defaultScopes = ["openid", "profile", "email"];

export const defaultClaims = {
  login: "preferred_username",
  email: "email",
  name: "name",
  groups: "groups",
};

/** How many of a connection's provisioning requests are kept. */
export const maxProvisioningRequests = 1000;

/** How long the previous token stays valid at most, in days. */
export const maxTokenOverlapDays = 7;

/** How many groups one connection provisions. */
export const maxGroups = 1000;

/** How many members one of them has. */
export const maxGroupMembers = 5000;
