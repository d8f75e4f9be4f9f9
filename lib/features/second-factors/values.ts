export const maxFactors = 5;
export const recoveryCodeCount = 10;
