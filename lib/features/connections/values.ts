/** At how many identity providers the people of a tenant may sign in. */
export const maxConnections = 5;

/** How many accounts at providers may sign one person in. */
export const maxIdentities = 10;

/** Who is let in: people who linked the provider to their account, or somebody new as well. */
export const provisionings = ["linked-only", "on-first-sign-in"] as const;

export const defaultScopes = ["openid", "profile", "email"];

export const defaultClaims = { login: "preferred_username", email: "email", name: "name" };
