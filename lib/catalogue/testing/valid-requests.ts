import type { NamedOperation } from "@/lib/catalogue/operations";
import type { Send } from "@/lib/http/testing/test-server";
import { methodOf, pathOf } from "@/lib/protocol/endpoint";
import { sampleRequests } from "./isolation-requests";
import type { IsolationWorld } from "./isolation-world";
import type { ProvokingCallers } from "./provoking-callers";
import type { DeclaredOperation, Schema } from "./sample-bodies";
import type { WireRequest } from "./wire";

interface Document {
  paths: Record<string, Record<string, DeclaredOperation>>;
  components: { schemas: Record<string, Schema> };
}

/** A request, without a credential, that the operation would execute for an allowed caller. */
export type ValidRequest = (operation: NamedOperation) => WireRequest;

/** Creates such requests from the OpenAPI document, with objects of the world. */
export async function validRequests(
  send: Send,
  world: IsolationWorld,
  callers: ProvokingCallers,
): Promise<ValidRequest> {
  const document: Document = (await send("GET /openapi.json")).body;
  return ({ declared }) => {
    const described = document.paths[pathOf(declared)]?.[methodOf(declared).toLowerCase()] ?? {};
    const operation = { name: declared.operation, declared: described };
    const { apiKeyId } = declared.operation.includes("/profile/api-keys") ? callers.fine : world;
    const named = { ...world, apiKeyId };
    const [sample] = sampleRequests(operation, named, named, document.components.schemas);
    const { path = "", type, body } = sample ?? {};
    const isForm = type === "application/x-www-form-urlencoded";
    const form = () => new URLSearchParams(body as Record<string, string>).toString();
    const text = type === undefined ? undefined : isForm ? form() : JSON.stringify(body);
    const length = () => ({
      "Content-Type": type,
      "Content-Length": String(Buffer.byteLength(text ?? "")),
    });
    return {
      method: methodOf(declared),
      path,
      headers: {
        "X-Service-Tenant": world.tenant,
        "X-Service-Site": "one",
        ...(declared.conditional && methodOf(declared) !== "GET" ? { "If-Match": "*" } : {}),
        ...(text === undefined ? {} : length()),
      },
      ...(text === undefined ? {} : { body: text }),
    };
  };
}
