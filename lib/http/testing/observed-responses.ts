import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { isRequestContext } from "@/lib/http/request-context";
import { type Handler, methods } from "@/lib/server/routes";
import { responseLine } from "./response-line";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder into which every test file writes its responses. */
    observedResponses: string;
  }
}

/** The lines of this test file; those of all files are compared with the declarations after the run. */
const observed = new Set<string>();

export function noteResponse(operation: string, status: number, code?: string): void {
  observed.add(responseLine(operation, status, code));
}

/** For random requests: their responses differ from run to run. */
export const forgetObservedResponses = (): void => observed.clear();

export function writeObservedResponses(): void {
  if (observed.size === 0) return;
  const file = join(inject("observedResponses"), `${randomUUID()}.txt`);
  writeFileSync(file, [...observed].join("\n"));
  observed.clear();
}

const observing = (handler: Handler): Handler => {
  const { endpoint } = handler;
  if (!endpoint) return handler;
  const respond = async (request: Request, context?: unknown) => {
    const response = await handler(request, context);
    const code = isRequestContext(context) ? context.error?.code : undefined;
    noteResponse(endpoint.operation, response.status, response.status < 400 ? undefined : code);
    return response;
  };
  return Object.assign(respond, { endpoint });
};

/** The handlers of a route, each of which records its responses. */
export const withObservedHandlers = (module: object): object =>
  Object.fromEntries(
    Object.entries(module).map(([name, handler]) => [
      name,
      methods.some((method) => method === name) ? observing(handler) : handler,
    ]),
  );
