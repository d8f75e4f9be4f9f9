export const maxFactors = 5;
export const maxPasskeys = 10;
export const recoveryCodeCount = 10;

/** Wrong codes without a delay. */
export const freeCodes = 5;
export const maxCodeWaitSeconds = 900;

/** The delay of the next code after a number of wrong ones. */
export const codeWaitSeconds = (failures: number): number =>
  failures <= freeCodes ? 0 : Math.min(maxCodeWaitSeconds, 2 ** (failures - freeCodes - 1));
