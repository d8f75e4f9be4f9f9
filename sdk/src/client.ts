import { batchInTurn } from "./batch-in-turn.js";
import {
  byOperation,
  Caller,
  type ClientOptions,
  declaredOf,
  type Sending,
  type Values,
} from "./caller.js";
import type { TokenPair } from "./customer-tokens.js";
import { type FollowOptions, follow } from "./feed.js";
import { type Groups, operations } from "./generated-groups.js";
import type { Operations, VerifyCredentialsRequest } from "./generated-types.js";
import type { Answer, CallOptions, Input, Operation } from "./methods.js";
import { iteratePages, nextOf } from "./pages.js";
import type { RawResponse } from "./transport.js";
import { createVerifier, type Verifier, type VerifierOptions } from "./verifier.js";

/** A response with status and headers. `data` is undefined for 204 and 304. */
export interface FullResponse<Data> {
  data: Data;
  status: number;
  headers: Headers;
  etag: string | undefined;
  requestId: string | undefined;
}

/** A credential of any kind, and the permission to verify. */
export type PresentedCredential = VerifyCredentialsRequest["credentials"][number];
export type Verdict = Operations["POST /v1/access/verify"]["answer"][number];
export type Revocation = Operations["GET /v1/access/revocations"]["answer"][number];
export type Event = Operations["GET /v1/events"]["answer"][number];

export interface Core {
  /** Calls an operation by its name. */
  call<Name extends Operation>(
    operation: Name,
    input?: Input<Name>,
    options?: CallOptions,
  ): Promise<Answer<Name>>;
  /** Like `call`, with status and headers. */
  exchange<Name extends Operation>(
    operation: Name,
    input?: Input<Name>,
    options?: CallOptions,
  ): Promise<FullResponse<Answer<Name>>>;
  /** The unparsed response in a media type of the operation: "text/csv" of an export. */
  text(
    operation: Operation,
    input?: Readonly<Record<string, unknown>>,
    options?: CallOptions & { accept?: string },
  ): Promise<string>;
  /** Iterates over events as they happen, until the signal is aborted. Starts after `after`, or 30 days ago. */
  followEvents(options?: FollowOptions): AsyncIterable<Event>;
  /** Verifies one credential. Calls in the same turn of the event loop share a request. */
  verify(credential: PresentedCredential): Promise<Verdict>;
  /** Signs a customer in at the client's site; returns a client with the customer's tokens, which it refreshes. */
  signInCustomer(
    login: string,
    password: string,
    onRefresh?: (pair: TokenPair) => void | Promise<void>,
  ): Promise<Gatehouse>;
  /** Verifies credentials from memory when possible, for services that check one on each request. */
  verifier(options?: VerifierOptions): Verifier;
  /** A copy of the client with these options changed. */
  with(changes: Partial<ClientOptions>): Gatehouse;
}

export type Gatehouse = Groups & Core;

function toFull<Data>({ status, headers, text }: RawResponse): FullResponse<Data> {
  return {
    data: (text === "" ? undefined : JSON.parse(text)) as Data,
    status,
    headers,
    etag: headers.get("etag") ?? undefined,
    requestId: headers.get("x-service-request-id") ?? undefined,
  };
}

type AnyMethod = (input?: Values, options?: Sending) => unknown;

/** The method of an operation: returns a promise, or a list that is read while it is iterated. */
function methodOf(caller: Caller, text: string): AnyMethod {
  const declared = declaredOf(text);
  const read = async (input?: Values, options?: Sending) =>
    toFull<unknown[]>(await caller.send(declared, input, options));
  if (!declared.isPaged) return async (input, options) => (await read(input, options)).data;
  return (input, options) =>
    iteratePages(async (cursor) => {
      const { data, headers } = await read(cursor ? { ...input, cursor } : input, options);
      return { items: data, next: nextOf(headers, "cursor") };
    });
}

const groupsOf = (caller: Caller) =>
  Object.fromEntries(
    Object.entries(operations).map(([group, methods]) => [
      group,
      Object.fromEntries(
        Object.entries<string>(methods).map(([name, text]) => [name, methodOf(caller, text)]),
      ),
    ]),
  ) as unknown as Groups;

const maxCredentials = 100;

function coreOf(caller: Caller): Core {
  const core: Core = {
    call: async (operation, input, options) =>
      (await core.exchange(operation, input, options)).data,
    exchange: async (operation, input, options) =>
      toFull(await caller.send(byOperation(operation), input, options)),
    text: async (operation, input, options) =>
      (await caller.send(byOperation(operation), input, options)).text,
    followEvents: ({ type, site, ...options } = {}) =>
      follow(async (after) => {
        const input = { ...(type && { type }), ...(site && { site }), ...(after && { after }) };
        const { data, headers } = await core.exchange("GET /v1/events", input, options);
        return { items: data, next: nextOf(headers, "after") ?? data.at(-1)?.id };
      }, options),
    verify: batchInTurn(maxCredentials, (credentials: PresentedCredential[]) =>
      core.call("POST /v1/access/verify", { body: { credentials } }),
    ),
    async signInCustomer(login, password, onRefresh) {
      const { apiKey: _apiKey, sessionId: _sessionId, ...others } = caller.options;
      const visitor = createClient({ ...others, customer: undefined, token: undefined });
      const { accessToken: token } = await visitor.shopper.createAnonymousToken();
      const pair = await visitor.with({ token }).shopper.login({ body: { login, password } });
      return visitor.with({ customer: { ...pair, ...(onRefresh && { onRefresh }) } });
    },
    verifier: (given) => createVerifier(createClient(caller.options), given),
    with: (changes) => createClient({ ...caller.options, ...changes }),
  };
  return core;
}

/**
 * A client of one tenant.
 *
 * @example
 * const gatehouse = createClient({ url: "https://gatehouse.example", tenant: "acme", apiKey });
 * for await (const user of gatehouse.users.list({ q: "ada" })) console.log(user.login);
 */
export function createClient(options: ClientOptions): Gatehouse {
  const caller = new Caller(options);
  return { ...groupsOf(caller), ...coreOf(caller) };
}
