/** What a tenant may set of the lifetimes that contract.md gives; absent members take the product's. */
export interface SecurityPolicy {
  sessionIdleSeconds?: number;
  sessionAbsoluteSeconds?: number;
  longestApiKeyDays?: number;
}
