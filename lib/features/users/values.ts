/** Where a user is between the invitation and the end. */
export const userStates = ["active", "invited", "deactivated"] as const;

/** What a list of users can be sorted by; a minus sign sorts downwards. */
export const userSorts = [
  "login",
  "-login",
  "name",
  "-name",
  "emailAddress",
  "-emailAddress",
  "registrationDate",
  "-registrationDate",
] as const;

export type UserSort = (typeof userSorts)[number];
