import { afterEach, expect, test } from "vitest";
import { GET as nowhere } from "@/app/v1/[[...path]]/route";
import { OPTIONS as choices, GET as list, DELETE as removal } from "@/app/v1/user/list/route";
import {
  type CompletedRequest,
  onCompletedRequest,
  requestContextOf,
} from "@/lib/http/request-context";

const heard: CompletedRequest[] = [];
onCompletedRequest((finished) => heard.push(finished));
afterEach(() => heard.splice(0));

const asked = (method: string, path: string) =>
  new Request(`http://localhost${path}`, {
    method,
    headers: { "X-Service-Tenant": "acme", "X-Service-Request-Id": "mine" },
  });

const told = () =>
  heard.map(({ method, template, status, context }) => [
    method,
    template,
    status,
    context.origin.requestId,
  ]);

test("without the server, 401, 405, 404 and OPTIONS are reported once each, by their handlers", async () => {
  await list(asked("GET", "/v1/user/list"));
  await removal(asked("DELETE", "/v1/user/list"));
  await choices(asked("OPTIONS", "/v1/user/list"));
  await nowhere(asked("GET", "/v1/nothing/here"));
  expect(told()).toEqual([
    ["GET", "/v1/user/list", 401, "mine"],
    ["DELETE", "/v1/user/list", 405, "mine"],
    ["OPTIONS", "/v1/user/list", 204, "mine"],
    ["GET", undefined, 404, "mine"],
  ]);
});

test("a response of the server is reported only by the server", async () => {
  for (const [handler, request] of [
    [removal, asked("DELETE", "/v1/user/list")],
    [nowhere, asked("GET", "/v1/nothing/here")],
  ] as const) {
    await handler(request, requestContextOf(request));
  }
  expect(told()).toEqual([]);
});
