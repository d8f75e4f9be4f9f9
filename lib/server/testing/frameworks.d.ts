/*
 * What the guides use of Express 5 (@types/express 5) and Fastify 5, with the signatures of those packages, which are not installed here:
 * the examples of the guides are checked against them.
 */

declare module "express" {
  import type { IncomingMessage, Server, ServerResponse } from "node:http";

  export interface Request extends IncomingMessage {
    ip: string | undefined;
    params: Record<string, string>;
  }
  export interface Response extends ServerResponse {
    json(body?: unknown): this;
  }
  export interface NextFunction {
    (error?: unknown): void;
    (deferToNext: "router"): void;
    (deferToNext: "route"): void;
  }
  export type RequestHandler = (
    request: Request,
    response: Response,
    next: NextFunction,
  ) => void | Promise<void>;
  export interface Express {
    set(setting: string, value: unknown): this;
    get(path: string, ...handlers: RequestHandler[]): this;
    listen(port: number): Server;
  }
  export default function express(): Express;
}

declare module "fastify" {
  import type { IncomingMessage } from "node:http";

  export interface FastifyRequest {
    headers: IncomingMessage["headers"];
    socket: IncomingMessage["socket"];
    readonly ip: string;
  }
  export interface FastifyReply {
    code(status: number): FastifyReply;
    headers(values: Partial<Record<string, number | string | string[] | undefined>>): FastifyReply;
    send(payload?: unknown): FastifyReply;
  }
  export interface FastifyInstance {
    get(
      path: string,
      options: { onRequest?: OnRequestHook },
      handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
    ): FastifyInstance;
    addHook(name: "onRequest", hook: OnRequestHook): FastifyInstance;
    addHook(
      name: "onClose",
      hook: (instance: FastifyInstance) => Promise<unknown>,
    ): FastifyInstance;
    listen(options: { port: number }): Promise<string>;
  }
  export type OnRequestHook = (
    this: FastifyInstance,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown>;
  export default function fastify(options?: {
    trustProxy?: boolean | string | string[];
  }): FastifyInstance;
}
