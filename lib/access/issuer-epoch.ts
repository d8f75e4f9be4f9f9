import type { Caller, Principal } from "./caller";

/** What a link that this caller issues ends with; null for an API key, which no change of a password ends. */
export const epochOfIssuer = ({ kind, credentialEpoch }: Caller): number | null =>
  kind === "apiKey" ? null : (credentialEpoch ?? null);

/** Whether the issuer's sessions were ended since, as a change of the password ends them: the thief of one may have issued it. */
export const isIssuerEnded = (issuerEpoch: number | null, issuer: Principal): boolean =>
  issuerEpoch !== null && issuerEpoch < (issuer.credentialEpoch ?? 0);
