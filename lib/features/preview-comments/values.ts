/** How many comments a preview configuration may have. */
export const maxComments = 500;

/** Characters of a comment. */
export const maxCommentLength = 2000;
