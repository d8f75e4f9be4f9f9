import type { HeldTransactions } from "@/lib/database/held-transactions";
import type { Origin } from "./caller";

/** Who calls the consumer interface: somebody at one site, known by the anonymous token's id only. */
export interface Shopper extends Origin {
  /** Where the request must not be done twice: what holds its work until the answer is kept with it. */
  held?: HeldTransactions | undefined;
  tenantId: string;
  siteId: string;
  /** Given with the anonymous token and carried over into the access tokens of the login that follows. */
  anonymousId: string;
}

/** A shopper who signed in. */
export interface SignedInShopper extends Shopper {
  customerId: string;
  /** The sign-in that the access token came from. */
  familyRef: string;
}
