import { checkPreconditions, isConditional, readPreconditions } from "@/lib/protocol/conditional";
import { type Endpoint, methodOf } from "@/lib/protocol/endpoint";
import { representationTag } from "./answer";
import type { Context } from "./context";

/**
 * Throws 412 where the request's preconditions do not match the current state. To be called within the transaction of the write,
 * under its lock; `read` returns what GET would respond with, and is called only where the request has a precondition.
 */
export type AssertUnchanged = (read: () => unknown) => Promise<void>;

/** The check of a conditional PUT, PATCH or DELETE; `representation` is the operation that reads the resource. */
export function assertUnchangedBy(
  { request }: Pick<Context, "request">,
  representation: Pick<Endpoint, "answer">,
): AssertUnchanged {
  const preconditions = readPreconditions(request.headers);
  return async (read) => {
    const { answer } = representation;
    if (!answer || !isConditional(preconditions)) return;
    const current = answer.parse(await read());
    const etag = representationTag(answer, current, JSON.stringify(current));
    checkPreconditions(preconditions, { etag });
  };
}

const unsafeMethods = ["PUT", "PATCH", "DELETE"];

/** What can be written but not read has no ETag: a precondition that names one cannot be met (RFC 9110, 13.1.1). */
export function assertNoTagNamed(declared: Endpoint, headers: Pick<Headers, "get">): void {
  if (declared.isConditional || !unsafeMethods.includes(methodOf(declared))) return;
  const { ifMatch, ifNoneMatch } = readPreconditions(headers);
  checkPreconditions(
    { ifMatch, ifNoneMatch, ifUnmodifiedSince: undefined, ifModifiedSince: undefined },
    { etag: "" },
  );
}
