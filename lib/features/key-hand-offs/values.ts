/** The shortest and the longest time that a link opens, and the one without a choice. */
export const minHandOffSeconds = 60;
export const maxHandOffSeconds = 7 * 86_400;
export const defaultHandOffSeconds = 86_400;

/** How many links a key may have that have not expired. */
export const maxHandOffsOfKey = 10;

/**
 * Characters of base64url that a sealed key takes, no more and no less: an initialization vector of 12 bytes, the 53 characters of a key
 * and a tag of 16 bytes.
 */
export const sealedLength = 108;
