export const maxFactors = 5;
export const maxPasskeys = 10;
export const recoveryCodeCount = 10;

/** How many wrong codes cost nothing. */
export const freeCodes = 5;
export const maxCodeWaitSeconds = 900;

/** How long the next code waits after so many wrong ones. */
export const codeWaitSeconds = (failures: number): number =>
  failures <= freeCodes ? 0 : Math.min(maxCodeWaitSeconds, 2 ** (failures - freeCodes - 1));
