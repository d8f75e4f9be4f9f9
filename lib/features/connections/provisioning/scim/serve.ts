import { newId } from "@/lib/database/ids";
import { insertRequest } from "@/lib/features/connections/provisioning/tokens";
import { checkAnnouncedLength, readBody } from "@/lib/http/body";
import { type RequestContext, type Respond, withRequestContext } from "@/lib/http/request-context";
import { sendAs } from "@/lib/http/responses";
import { negotiate, requireMediaType } from "@/lib/protocol/http-fields";
import { parseJson } from "@/lib/protocol/json";
import { log } from "@/lib/protocol/log";
import { cut } from "@/lib/protocol/text";
import { isPlain } from "./attributes";
import { discovered } from "./discovery";
import { createGroup, deleteGroup, getGroup, listGroups, patchGroup, replaceGroup } from "./groups";
import { type Address, identifyConnection, provisioningAddress, readAddress } from "./identify";
import { listPeople } from "./lists";
import { project, type Resource, toResource } from "./resource";
import { asScimError, bodyOfError, ScimError } from "./scim-error";
import {
  createPerson,
  deletePerson,
  getPerson,
  type Provisioner,
  patchPerson,
  replacePerson,
} from "./users";

/*
 * SCIM 2.0 (RFC 7644) of a connection. Its operations are not declared by `endpoint()` and not part of OpenAPI: the protocol fixes
 * their shapes, errors and media type, and describes itself at /ServiceProviderConfig, /ResourceTypes and /Schemas.
 */

const mediaType = "application/scim+json";
/** Bytes. */
const bodyLimit = 1024 * 1024;

/** An authenticated request. */
interface Asked {
  by: Provisioner;
  request: Request;
  query: URLSearchParams;
  id: string;
  body: () => Promise<Resource>;
}

interface Outcome {
  status: number;
  body?: object;
  headers?: Record<string, string>;
}

type Operation = (asked: Asked) => Promise<Outcome>;
type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

const shown = ({ by, query }: Asked, row: Parameters<typeof toResource>[0]) =>
  project(query)(toResource(row, by.base));

/** The operations on a collection, and on a single resource ("one"). */
const resources: Record<string, Partial<Record<Verb | `${Verb} one`, Operation>>> = {
  Users: {
    GET: async ({ by, query }) => ({ status: 200, body: await listPeople(by, query) }),
    POST: async (asked) => {
      const row = await createPerson(asked.by, await asked.body());
      const headers = { Location: `${asked.by.base}/Users/${row.userId}` };
      return { status: 201, body: shown(asked, row), headers };
    },
    "GET one": async (asked) => ({
      status: 200,
      body: shown(asked, await getPerson(asked.by, asked.id)),
    }),
    "PUT one": async (asked) => ({
      status: 200,
      body: shown(asked, await replacePerson(asked.by, asked.id, await asked.body())),
    }),
    "PATCH one": async (asked) => ({
      status: 200,
      body: shown(asked, await patchPerson(asked.by, asked.id, await asked.body())),
    }),
    "DELETE one": async ({ by, id }) => {
      await deletePerson(by, id);
      return { status: 204 };
    },
  },
  Groups: {
    GET: async ({ by, query }) => ({ status: 200, body: await listGroups(by, query) }),
    POST: async ({ by, query, body }) => {
      const group = await createGroup(by, await body());
      const headers = { Location: `${by.base}/Groups/${group.id}` };
      return { status: 201, body: project(query)(group), headers };
    },
    "GET one": async ({ by, query, id }) => ({
      status: 200,
      body: project(query)(await getGroup(by, id)),
    }),
    "PUT one": async ({ by, query, id, body }) => ({
      status: 200,
      body: project(query)(await replaceGroup(by, id, await body())),
    }),
    // RFC 7644, 3.5.2: returns the group, which may have thousands of members, only if attributes are requested.
    "PATCH one": async ({ by, query, id, body }) => {
      await patchGroup(by, id, await body());
      if (!query.has("attributes")) return { status: 204 };
      return { status: 200, body: project(query)(await getGroup(by, id)) };
    },
    "DELETE one": async ({ by, id }) => {
      await deleteGroup(by, id);
      return { status: 204 };
    },
  },
};

const nothing = () => new ScimError(404, undefined, "There is nothing at this address.");

/** If the body took longer than this to arrive, the token is checked again, as callers of other operations are. */
const maxBodyMsOnOneCheck = 250;

async function bodyOf(request: Request, identifyAgain: () => Promise<unknown>): Promise<Resource> {
  checkAnnouncedLength(request.headers, bodyLimit);
  const [given = ""] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  requireMediaType(request.headers, given.trim() === "application/json" ? given.trim() : mediaType);
  const since = performance.now();
  const bytes = await readBody(request, bodyLimit);
  if (performance.now() - since > maxBodyMsOnOneCheck) await identifyAgain();
  const value = parseJson(bytes);
  if (isPlain(value)) return value;
  throw new ScimError(400, "invalidSyntax", "The body must be an object.");
}

const operationsOf = (name: string) =>
  Object.hasOwn(resources, name) ? resources[name] : undefined;

/** The allowed methods of a path. Throws 404 for an unknown path. */
function allowedAt(address: Address): string {
  const [name = "", id, ...more] = address.segments;
  const operations = operationsOf(name);
  if (more.length > 0 || (!operations && !discovered(provisioningAddress(address), name, id)))
    throw nothing();
  const verbs = Object.keys(operations ?? { GET: true })
    .filter((key) => !operations || key.endsWith(" one") === (id !== undefined))
    .map((key) => key.replace(" one", ""));
  return [...verbs.flatMap((verb) => (verb === "GET" ? ["GET", "HEAD"] : verb)), "OPTIONS"].join(
    ", ",
  );
}

function notAllowed(method: string, allow: string): ScimError {
  return new ScimError(405, undefined, `${method} is not supported here. Use ${allow}.`, {
    Allow: allow,
  });
}

async function perform(
  by: Provisioner,
  request: Request,
  address: Address,
  identifyAgain: () => Promise<unknown>,
): Promise<Outcome> {
  const { method } = request;
  const allow = allowedAt(address);
  const [name = "", id] = address.segments;
  const operations = operationsOf(name);
  const verb = (method === "HEAD" ? "GET" : method) as Verb;
  if (!operations && verb === "GET")
    return { status: 200, body: discovered(by.base, name, id) ?? {} };
  const operation = operations?.[id === undefined ? verb : (`${verb} one` as const)];
  if (!operation) throw notAllowed(method, allow);
  const query = new URL(request.url).searchParams;
  const body = () => bodyOf(request, identifyAgain);
  return operation({ by, request, query, id: id ?? "", body });
}

/** The path without personal data: text that does not look like an id of this service is replaced. */
function pathOf([name = "", id]: string[]): string {
  const kept = id === undefined || /^\w{1,64}$/.test(id) ? id : "...";
  return cut(`/${[name, kept].filter((part) => part !== undefined).join("/")}`, 128);
}

/** Stores the outcome of a request in the log of its connection. A failure to store it does not fail the request. */
async function note(
  { tenantId, connectionId }: Provisioner,
  request: Request,
  context: RequestContext,
  { status, error, segments }: { status: number; error?: ScimError; segments: string[] },
): Promise<void> {
  const row = {
    ...{ tenantId, connectionId, status, entryId: newId("prv"), occurredAt: new Date() },
    requestId: context.origin.requestId,
    method: request.method,
    path: pathOf(segments),
    scimType: error?.scimType ?? null,
    detail: error ? cut(error.message, 300) : null,
    durationMs: Math.round(performance.now() - context.startedAt),
  };
  await insertRequest(row).catch((thrown: unknown) => {
    log().warn({ requestId: row.requestId, err: thrown }, "a provisioning request was not noted");
  });
}

async function serve(request: Request, context: RequestContext): Promise<Response> {
  const { responseHeaders } = context;
  const sent = { request, responseHeaders };
  let format = mediaType;
  let by: Provisioner | undefined;
  let segments: string[] = [];
  let error: ScimError | undefined;
  let outcome: Outcome;
  try {
    const address = readAddress(new URL(request.url).pathname);
    segments = address.segments;
    if (request.method === "OPTIONS")
      return sendAs(format, sent, { status: 204, headers: { Allow: allowedAt(address) } });
    const identifyNow = () => identifyConnection(request, context, address);
    by = await identifyNow();
    format = negotiate(request.headers.get("accept"), [mediaType, "application/json"]);
    outcome = await perform(by, request, address, identifyNow);
  } catch (thrown) {
    error = asScimError(thrown, context);
    outcome = { status: error.status, body: bodyOfError(error), headers: error.headers };
  }
  const { status } = outcome;
  if (by) await note(by, request, context, { status, ...(error && { error }), segments });
  return sendAs(format, sent, outcome);
}

/** The handler for all methods and paths of a connection. */
export function scim(): Record<Verb | "HEAD" | "OPTIONS", Respond> {
  const all = withRequestContext("/scim/v2/{connection}/{path}", serve);
  return { GET: all, HEAD: all, POST: all, PUT: all, PATCH: all, DELETE: all, OPTIONS: all };
}
