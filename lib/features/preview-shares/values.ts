/** How long a share may hold. */
export const maxShareDays = 90;

/** How many shares a preview configuration may have that have not expired. */
export const maxShares = 20;
