/** The states of a user's life cycle. */
export const userStates = ["active", "invited", "deactivated"] as const;

/** The filters of a list of users: any text, or one of these. They are part of the page's URL and of saved views. */
export const userFilters = {
  q: undefined,
  role: undefined,
  site: undefined,
  lock: ["true", "false"],
  state: userStates,
} as const;
export type UserFilter = keyof typeof userFilters;
export const userFilterNames = Object.keys(userFilters) as UserFilter[];

/** The maximum length of the reason of an access request. */
export const maxAskReason = 500;

/** The maximum number of users of a tenant who may always sign in with password and second factor. */
export const maxEmergencyAdministrators = 3;

/**
 * The sort orders of a list of users; a minus sign means descending. `match` lists exact matches of the searched text first,
 * then logins that start with it.
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

/** The error messages for actions on a user's page that the service would reject; allowed actions are absent. */
export type Rejections = Partial<Record<"details" | "email-address" | "password-link", string>>;
