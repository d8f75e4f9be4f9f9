/** How many comments a preview configuration may have: visitors with a share do not fill the team's. */
export const maxComments = { team: 500, visitors: 200 } as const;

/** Characters of a comment. */
export const maxCommentLength = 2000;
