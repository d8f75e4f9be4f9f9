/** How many configurations a release may change. */
export const maxEntries = 50;

/** How far ahead a release may be scheduled. */
export const maxAheadDays = 366;
