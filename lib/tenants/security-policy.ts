/** What a tenant may set of the lifetimes that contract.md gives; absent members take the product's. */
export interface SecurityPolicy {
  sessionIdleSeconds?: number;
  sessionAbsoluteSeconds?: number;
  longestApiKeyDays?: number;
  /** At most a day: so long a signing key is served after its last signature. */
  anonymousTokenSeconds?: number;
  /** At most an hour: so long nodes remember which tokens ended before their time. */
  accessTokenSeconds?: number;
  refreshIdleSeconds?: number;
  refreshAbsoluteSeconds?: number;
  /** At most a minute. */
  refreshGraceSeconds?: number;
}
