import type { Operations } from "./generated-types.js";
import type { PageIterator } from "./pages.js";

/** "METHOD /path/{parameter}" of an operation. */
export type Operation = keyof Operations;

/** Path parameters, query parameters and `body` in one object. */
export type Input<Name extends Operation> = Operations[Name]["input"];

/** The JSON that the operation answers; undefined for 204. */
export type Answer<Name extends Operation> = Operations[Name]["answer"];

/** What a single call may do differently. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds for each attempt, from sending to the last byte of the response. */
  timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated at most. */
  maxRetries?: number | undefined;
  /** Another site than the client's. */
  site?: string | undefined;
  /** The ETag of the state that a change is meant for: 412 where it is another one. */
  ifMatch?: string | undefined;
  /** The ETag of the state that is known: 304 without data where it is still the same. */
  ifNoneMatch?: string | undefined;
  /** Without it each call of a repeatable operation gets a random one, which its retries share. */
  idempotencyKey?: string | undefined;
}

/** The arguments of a method: the input may be left out where nothing in it is required. */
type Arguments<Name extends Operation> = undefined extends Operations[Name]["input"]
  ? [input?: Input<Name>, options?: CallOptions]
  : [input: Input<Name>, options?: CallOptions];

/**
 * An operation of the generated groups.
 * @public
 */
export type Method<Name extends Operation> = (...given: Arguments<Name>) => Promise<Answer<Name>>;

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/**
 * One that answers a list in pages.
 * @public
 */
export type PagedMethod<Name extends Operation> = (
  ...given: Arguments<Name>
) => PageIterator<ItemOf<Answer<Name>>>;
