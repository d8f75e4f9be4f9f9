import { expect, test } from "vitest";
import { methodName } from "@/sdk/generator/method-names";
import { typeOf } from "@/sdk/generator/schema-types";

test.each([
  ["listUsers", "/v1/user/list", "users.list"],
  ["createApiKey", "/v1/user/profile/api-keys", "keys.create"],
  ["revokeManagedKey", "/v1/user/api-keys/{apiKeyId}/revoke", "managedKeys.revoke"],
  ["getSecurityPolicy", "/v1/tenant/security-policy", "tenant.getSecurityPolicy"],
  ["verifyCredentials", "/v1/access/verify", "access.verify"],
  ["listWebhookDeliveries", "/v1/webhooks/{id}/deliveries", "webhooks.listDeliveries"],
])("%s of %s is %s", (operationId, path, expected) => {
  const { group, method } = methodName(operationId, path);
  expect(`${group}.${method}`).toBe(expected);
});

test.each([
  ["a text", { type: "string" }, "string"],
  ["a whole number", { type: "integer" }, "number"],
  ["a value or null", { anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
  ["two types", { type: ["string", "null"] }, "string | null"],
  ["a closed list", { enum: ["a", "b"] }, '"a" | "b"'],
  ["a list", { type: "array", items: { $ref: "#/components/schemas/User" } }, "Array<User>"],
  ["a map", { type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
  [
    "an object",
    { type: "object", properties: { id: { type: "string" }, "a-b": {} }, required: ["id"] },
    '{\nid: string;\n"a-b"?: unknown;\n}',
  ],
])("the type of %s", (_, schema, expected) => {
  expect(typeOf(schema)).toBe(expected);
});
