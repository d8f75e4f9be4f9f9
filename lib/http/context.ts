import type { z } from "zod";
import type { Caller, Shopper, SignedInShopper } from "@/lib/access/caller";
import type { ShareVisitor } from "@/lib/access/preview-shares";
import type { Endpoint } from "@/lib/protocol/endpoint";
import type { RequestContext } from "./request-context";

type AnswerOf<Answer> = Answer extends z.ZodUndefined
  ? // biome-ignore lint/suspicious/noConfusingVoidType: the handler of a 204 returns nothing.
    void
  : Answer extends z.ZodType
    ? z.input<Answer>
    : never;
type StreamOf<Answer> = AnswerOf<Answer> extends (infer Item)[] ? AsyncIterable<Item[]> : never;

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** The argument of a handler: everything is checked and parsed. */
export interface Context<
  Query = unknown,
  Body = unknown,
  Operation extends string = string,
  Who = Caller | ShareVisitor | Shopper | undefined,
> extends Pick<RequestContext, "origin" | "responseHeaders"> {
  caller: Who;
  params: Record<ParameterNames<Operation>, string>;
  query: Query;
  body: Body;
  /** The body as received; empty if none is declared. */
  bytes: Uint8Array;
  tenantId: string;
  /** From X-Service-Site; always set if the operation needs it, else "". */
  siteId: string;
  request: Request;
  /** The media type agreed on. */
  format: string;
  /** Checks the credential, site and rights again. For an operation that reads a long body itself before it acts on it. */
  identifyAgain: () => Promise<Who>;
}

type WhoWith<Credentials> = Credentials extends readonly []
  ? undefined
  : Credentials extends readonly [...unknown[], "share"]
    ? Caller | ShareVisitor
    : Credentials extends readonly ["customer"]
      ? SignedInShopper
      : Credentials extends readonly ["anonymous"]
        ? Shopper
        : Caller;

/** A handler returns the response value, a stream of parts of a list, or a whole Response where bytes matter. */
export type HandlerOf<Declared> =
  Declared extends Endpoint<
    infer Query,
    infer Body,
    infer Answer,
    infer Operation,
    infer Credentials
  >
    ? (
        context: Context<z.output<Query>, z.output<Body>, Operation, WhoWith<Credentials>>,
      ) =>
        | Promise<AnswerOf<Answer> | StreamOf<Answer> | Response>
        | AnswerOf<Answer>
        | StreamOf<Answer>
        | Response
    : never;
