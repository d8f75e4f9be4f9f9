import { responseLine } from "@/lib/http/testing/response-line";
import { declaredErrors } from "@/lib/protocol/declared-errors";
import { type Endpoint, methodOf } from "@/lib/protocol/endpoint";

/** Responses only of a failing server or store. */
const inTrouble = [500, 503];

function declaredLines(declared: Endpoint): string[] {
  const { operation, status, conditional } = declared;
  const errors = [...declaredErrors(declared)].filter(([error]) => !inTrouble.includes(error));
  return [
    responseLine(operation, status),
    ...(conditional && methodOf(declared) === "GET" ? [responseLine(operation, 304)] : []),
    ...errors.flatMap(([error, codes]) =>
      codes.map((code) => responseLine(operation, error, code)),
    ),
  ];
}

/** Each declared status and code that no test got, as "GET /v1/user/list 403 auth.permission-missing". */
export const unobservedResponses = (
  operations: readonly Endpoint[],
  observed: ReadonlySet<string>,
): string[] =>
  operations
    .flatMap(declaredLines)
    .filter((line) => !observed.has(line))
    .sort();
