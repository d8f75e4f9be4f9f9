/** The shortest and the longest time that a link opens, and the one without a choice. */
export const minHandOffSeconds = 60;
export const maxHandOffSeconds = 7 * 86_400;
export const defaultHandOffSeconds = 86_400;

/** Characters of base64url: an initialization vector, a tag and at least one byte between; at most three times a secret. */
export const minSealedLength = 39;
export const maxSealedLength = 1024;
