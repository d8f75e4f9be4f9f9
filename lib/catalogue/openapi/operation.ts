import { z } from "zod";
import { type Endpoint, isRepeatable, methodOf, sessionOnlyReasons } from "@/lib/protocol/endpoint";
import { bearerDeprecationNote } from "@/lib/protocol/http-fields";
import { parameters, queryParameters } from "./parameters";
import { errorCodesByStatus, responses } from "./responses";
import type { Json, SchemaWriter } from "./schema-writer";
import { schemes } from "./security";
import { tagOf } from "./tags";

/** "a, b or c" */
const either = (words: string[]) =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

function aboutCaller({ credentials, permission, ...declared }: Endpoint): string[] {
  const accepted = either(credentials.map((kind) => schemes[kind].label));
  const isForPlatform = declared.requires.includes("platform-user");
  const wide = declared.isTenantWide ? " from a role of the whole tenant" : "";
  return [
    credentials.length > 0 ? `Accepts ${accepted}.` : "Needs no credential in a header.",
    ...(isForPlatform ? ["Only for the platform's own users."] : []),
    ...(permission && permission !== "any-role"
      ? [`Needs the permission \`${permission}\`${wide}.`]
      : []),
    ...(permission === "any-role" && !isForPlatform ? ["Needs any role in the tenant."] : []),
    ...(declared.keyRule?.restrictedNeeds
      ? [`A restricted API key needs \`${declared.keyRule?.restrictedNeeds}\`.`]
      : []),
    ...(declared.keyRule?.mustNamePermission
      ? ["An API key must be restricted to permissions that include it."]
      : []),
    ...(declared.keyRule?.mustBeOfServiceUser ? ["It must belong to a service user."] : []),
    ...(declared.keyRule?.noneBecause
      ? [`Accepts no API key, because ${sessionOnlyReasons[declared.keyRule?.noneBecause]}.`]
      : []),
    ...(declared.keyRule?.policy
      ? ["Accepts API keys only where the tenant's security policy allows it."]
      : []),
    ...(declared.deprecatedCredential
      ? [`\`${schemes[declared.deprecatedCredential].name}\` is ${bearerDeprecationNote}.`]
      : []),
  ];
}

function aboutBehaviour(declared: Endpoint): string[] {
  return [
    ...(declared.requires.includes("precondition")
      ? ["`If-Match` is required: without it the response is 428."]
      : []),
    ...(declared.replay?.secretId !== undefined && isRepeatable(declared)
      ? ["The response holds a secret that is shown only once and never replayed."]
      : []),
    ...(declared.body ? [`The body has at most ${declared.limits.body} bytes.`] : []),
  ];
}

/** The description of an operation: its purpose, its callers and notes. */
function descriptionOf(declared: Endpoint): string {
  const own = declared.description ?? `${declared.summary.replace(/\.$/, "")}.`;
  return [own, ...aboutCaller(declared), ...aboutBehaviour(declared)].join(" ");
}

const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function answerSchema(id: string, declared: Endpoint, writer: SchemaWriter): Json | undefined {
  const { answer } = declared;
  if (!answer || answer instanceof z.ZodUndefined) return undefined;
  if (answer instanceof z.ZodArray) {
    const items = writer.writeNamed(`${pascal(id)}Item`, answer.element as z.ZodType, "output");
    return { type: "array", maxItems: 1_000_000, items };
  }
  return writer.writeNamed(`${pascal(id)}Response`, answer, "output");
}

/** A body is JSON or a form; a PATCH may also be sent as a merge patch. */
function requestBody(id: string, declared: Endpoint, writer: SchemaWriter): Json | undefined {
  if (!declared.body) return undefined;
  const schema = writer.writeNamed(`${pascal(id)}Request`, declared.body, "input");
  const types = [
    declared.consumes,
    ...(methodOf(declared) === "PATCH" ? ["application/merge-patch+json"] : []),
  ];
  return {
    required: !declared.isBodyOptional,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}

/** An operation in the form of OpenAPI; `id` is its contract's export name. */
export function describeOperation(id: string, declared: Endpoint, writer: SchemaWriter): Json {
  const query = queryParameters(declared, writer);
  const body = requestBody(id, declared, writer);
  const names = query.map(({ name }) => String(name));
  return {
    operationId: id,
    summary: declared.summary,
    description: descriptionOf(declared),
    tags: [tagOf(declared)],
    ...(declared.permission ? { "x-permission": declared.permission } : {}),
    ...(declared.keyRule?.restrictedNeeds
      ? { "x-restricted-key-permission": declared.keyRule?.restrictedNeeds }
      : {}),
    security: declared.credentials.map((credential) => ({ [schemes[credential].name]: [] })),
    parameters: parameters(declared, query),
    ...(body ? { requestBody: body } : {}),
    responses: responses(declared, answerSchema(id, declared, writer), names),
    "x-error-codes": errorCodesByStatus(declared),
  };
}
