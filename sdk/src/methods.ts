import type { Operations } from "./generated-types.js";
import type { PageIterator } from "./pages.js";

/** "METHOD /path/{parameter}" of an operation. */
export type Operation = keyof Operations;

/** Path parameters, query parameters and `body` in one object. */
export type Input<Name extends Operation> = Operations[Name]["input"];

/** The JSON of the operation's response; undefined for 204. */
export type Answer<Name extends Operation> = Operations[Name]["answer"];

/** The options of a single call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds for each attempt, from sending to the last byte of the response. */
  timeoutMs?: number | undefined;
  /** The maximum number of retries. */
  maxRetries?: number | undefined;
  /** Overrides the client's site. */
  site?: string | undefined;
  /** The ETag of the state to change: 412 when it does not match. */
  ifMatch?: string | undefined;
  /** The ETag of the known state: 304 without data when it is unchanged. */
  ifNoneMatch?: string | undefined;
  /** Without it each call of a repeatable operation gets a random one, which its retries share. */
  idempotencyKey?: string | undefined;
}

/** The arguments of a method: the input is optional when nothing in it is required. */
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
 * A method that returns a list in pages.
 * @public
 */
export type PagedMethod<Name extends Operation> = (
  ...given: Arguments<Name>
) => PageIterator<ItemOf<Answer<Name>>>;
