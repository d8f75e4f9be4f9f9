/** At how many identity providers the people of a tenant may sign in. */
export const maxConnections = 5;

/** How many accounts at providers may sign one person in. */
export const maxIdentities = 10;

/** Who is let in: people who linked the provider to their account, or somebody new as well. */
export const provisionings = ["linked-only", "on-first-sign-in"] as const;

/** Which claim of an ID token holds the externalId of provisioned people. None of them can be chosen by the person. */
export const externalIdClaims = ["none", "sub", "oid"] as const;

/** For how many groups a connection says which roles they give. */
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

/** How long the token before stays valid at most, in days. */
export const maxTokenOverlapDays = 7;

/** How many groups one connection provisions. */
export const maxGroups = 1000;

/** How many members one of them has. */
export const maxGroupMembers = 5000;
