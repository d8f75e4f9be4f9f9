/** Whom a request turned out to come from, for what counts requests once they are answered. */
export interface ToldCaller {
  kind: "session" | "apiKey" | "bearer" | "anonymous" | "customer";
  /** `sess_...` or `key_...`; "" for shoppers. */
  credentialId: string;
  /** Management users alone. */
  userId: string;
}

/** Evaluated once per bundle, so a registered symbol; a member is cheaper than a WeakMap. */
const caller = Symbol.for("gatehouse.caller");
const exchange = Symbol.for("gatehouse.exchange");

type Marked = Request & { [caller]?: ToldCaller; [exchange]?: true };

/** Notes the caller as soon as the credential is known, whatever is refused afterwards. */
export function tellCaller(request: Request, told: ToldCaller): void {
  (request as Marked)[caller] = told;
}

export const toldCaller = (request: Request): ToldCaller | undefined => (request as Marked)[caller];

/** Marks a request that the front door answers, and counts itself. */
export function markExchange(request: Request): void {
  (request as Marked)[exchange] = true;
}

export const isOfExchange = (request: Request): boolean => (request as Marked)[exchange] === true;
