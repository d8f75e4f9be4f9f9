import type { ErrorCode } from "@/lib/protocol/error-codes";

/** Why a request was refused, for what keeps refusals once they are answered. */
interface ToldFailure {
  code: ErrorCode;
  reason: string | undefined;
}

/** Evaluated once per bundle, so a registered symbol. */
const failed = Symbol.for("gatehouse.failure");

type Marked = object & { [failed]?: ToldFailure };

export function tellFailure(request: object, told: ToldFailure): void {
  (request as Marked)[failed] = told;
}

export const toldFailure = (request: object): ToldFailure | undefined =>
  (request as Marked)[failed];
