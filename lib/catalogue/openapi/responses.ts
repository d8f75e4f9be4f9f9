import { z } from "zod";
import { declaredErrors } from "@/lib/protocol/declared-errors";
import { type Endpoint, methodOf } from "@/lib/protocol/endpoint";
import { errorCodes } from "@/lib/protocol/error-codes";
import { type ErrorStatus, errorNames } from "@/lib/protocol/error-codes/entry";
import { headerReferences, headersOfError, headersOfSuccess } from "./headers";
import type { Json, SchemaWriter } from "./schema-writer";

const ErrorCode = z.enum(Object.keys(errorCodes)).meta({
  id: "ErrorCode",
  description: "What went wrong. Each code has a page at `/docs/errors/{code}`.",
});

const ErrorResponse = z
  .object({
    name: z.enum(Object.values(errorNames)).meta({ description: "One word for each status." }),
    code: ErrorCode,
    detail: z.string().max(2000).meta({ description: "A sentence for people." }),
    reason: z
      .string()
      .max(20_000)
      .optional()
      .meta({ description: "For programs: what is missing, wrong or allowed." }),
  })
  .meta({ id: "ErrorResponse", description: "Why a request failed." });

const ValidationErrorResponse = z
  .object({
    ...ErrorResponse.shape,
    reason: z
      .string()
      .max(20_000)
      .optional()
      .meta({ description: "JSON Pointers of what is wrong, comma separated." }),
  })
  .meta({ id: "ValidationErrorResponse", description: "Why a request is not valid." });

const Problem = z
  .object({
    type: z.string().max(256).meta({ description: "The path of the documentation of the code." }),
    title: z.string().max(64).meta({ description: "One word for each status." }),
    status: z.int().min(400).max(599).meta({ description: "The status of the response." }),
    detail: z.string().max(2000).meta({ description: "A sentence for people." }),
    code: ErrorCode,
    reason: z
      .string()
      .max(20_000)
      .optional()
      .meta({ description: "For programs: what is missing, wrong or allowed." }),
    errors: z
      .array(
        z.object({
          pointer: z
            .string()
            .max(256)
            .meta({ description: "JSON Pointer, `?parameter` or header." }),
          detail: z.string().max(512).meta({ description: "What is wrong there." }),
        }),
      )
      .max(50)
      .optional()
      .meta({ description: "What is wrong, field by field." }),
  })
  .meta({ id: "Problem", description: "The same as problem details (RFC 9457)." });

/** The name and description of the shared response of each status. */
const errorResponses: Record<ErrorStatus, [name: string, description: string]> = {
  400: ["BadRequest", "The request is not valid."],
  401: ["Unauthorized", "A credential is missing, or is not valid here."],
  403: ["Forbidden", "The credential has expired, or its owner may not do this."],
  404: ["NotFound", "There is nothing of this id."],
  405: ["MethodNotAllowed", "The path does not have this method."],
  406: ["NotAcceptable", "The operation has no media type that Accept allows."],
  409: ["Conflict", "The current state does not allow this."],
  412: ["PreconditionFailed", "The resource is in another state than the request expects."],
  413: ["PayloadTooLarge", "The body is too large."],
  414: ["UriTooLong", "The address is too long."],
  415: ["UnsupportedMediaType", "The body is of a media type that the operation does not read."],
  417: ["ExpectationFailed", "The header Expect asks for something unknown."],
  422: ["IdempotencyKeyReused", "The Idempotency-Key was used for another request."],
  428: ["PreconditionRequired", "The request needs If-Match."],
  429: ["TooManyRequests", "A rate limit or a quota is used up."],
  431: ["HeadersTooLarge", "The headers are too large."],
  500: ["InternalError", "Something failed on the server."],
  503: ["Unavailable", "The server cannot answer now."],
};

const referenceTo = (status: ErrorStatus): Json => ({
  $ref: `#/components/responses/${errorResponses[status][0]}`,
});

export function responseComponents(writer: SchemaWriter): Json {
  const problem = { schema: writer.write(Problem, "output") };
  const written = Object.entries(errorResponses).map(([status, [name, description]]) => {
    const body = Number(status) === 400 ? ValidationErrorResponse : ErrorResponse;
    return [
      name,
      {
        description,
        headers: headerReferences(headersOfError(Number(status))),
        content: {
          "application/json": { schema: writer.write(body, "output") },
          "application/problem+json": problem,
        },
      },
    ];
  });
  return Object.fromEntries([
    ...written,
    [
      "Failed",
      {
        description: "Any other failure.",
        headers: headerReferences(["X-Service-Request-Id"]),
        content: { "application/json": { schema: writer.write(ErrorResponse, "output") } },
      },
    ],
  ]);
}

/** Media types whose body is not JSON of the described schema. */
const isText = (type: string) => !type.includes("json") || type.includes("ndjson");

function successContent(declared: Endpoint, schema: Json): Json {
  const entries = declared.produces.map((type) => [
    type,
    { schema: isText(type) ? { type: "string", maxLength: 2_000_000_000 } : schema },
  ]);
  return Object.fromEntries(entries);
}

/** Success, 304 where the operation is a conditional read, and every error that the operation declares. */
export function responses(
  declared: Endpoint,
  answer: Json | undefined,
  parameters: readonly string[],
): Json {
  const headers = headerReferences(headersOfSuccess(declared, parameters));
  const success = { description: declared.summary, headers };
  const isRead = methodOf(declared) === "GET";
  const notModified = {
    description: "The caller has this state already.",
    headers: headerReferences(["X-Service-Request-Id", "ETag"]),
  };
  return {
    [declared.status]: answer ? { ...success, content: successContent(declared, answer) } : success,
    ...(declared.conditional && isRead ? { 304: notModified } : {}),
    ...Object.fromEntries(
      [...declaredErrors(declared).keys()].map((status) => [status, referenceTo(status)]),
    ),
    default: { $ref: "#/components/responses/Failed" },
  };
}

/** The closed list of codes by status, which clients may rely on. */
export const errorCodesByStatus = (declared: Endpoint): Json =>
  Object.fromEntries(declaredErrors(declared));
