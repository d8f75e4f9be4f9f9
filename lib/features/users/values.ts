/** Where a user is between the invitation and the end. */
export const userStates = ["active", "invited", "deactivated"] as const;

/** What a list of users can be filtered by: any text, or one of these. The page's address and saved views keep them. */
export const userFilters = {
  q: undefined,
  role: undefined,
  site: undefined,
  lock: ["true", "false"],
  state: userStates,
} as const;
export type UserFilter = keyof typeof userFilters;
export const userFilterNames = Object.keys(userFilters) as UserFilter[];

/** The longest sentence with which a person asks for access. */
export const maxAskReason = 500;

/** How many people of a tenant may always sign in with password and second factor. */
export const maxEmergencyAdministrators = 3;

/**
 * What a list of users can be sorted by; a minus sign sorts downwards. `match` has those first who are named exactly as the text
 * searched, then those whose login begins with it.
 */
export const userSorts = [
  "login",
  "-login",
  "name",
  "-name",
  "emailAddress",
  "-emailAddress",
  "registrationDate",
  "-registrationDate",
  "match",
] as const;

export type UserSort = (typeof userSorts)[number];

/** Why the service would reject what a page about somebody offers, in its own words; without what it would do. */
export type Rejections = Partial<Record<"details" | "email-address" | "password-link", string>>;
