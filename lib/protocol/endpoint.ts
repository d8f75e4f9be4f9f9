import type { z } from "zod";
import { unlimited, unset } from "./declared-shape";
import type { ErrorCode } from "./error-codes";
import type { Permission } from "./permissions";

/** Why an operation accepts no API key, not even one with its permission: completes a sentence after "because". */
export const sessionOnlyReasons = {
  ownAccount: "it concerns the person who is signed in",
  accessRequest: "a person asks for access, and a person decides about it",
  keys: "a key could create its own successor, or lift its own limits",
  passwordLink: "whoever has the link can sign in as the user",
  secondFactors: "without a second factor the password alone signs in as the user",
  securityPolicy: "the policy decides how long API keys live",
  emergencyAdministrators: "whoever names them decides who can always sign in",
  connection: "whoever decides where people sign in can sign in as them",
  auditStream: "a stream sends the whole trail, with personal data, out of the service",
  savedView: "a saved view belongs to the pages of the person who is signed in",
  comment: "a comment is what a person says",
  platform: "only the people who run the installation may call it",
} as const;

export type SessionOnlyReason = keyof typeof sessionOnlyReasons;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type ManagementCredential = "session" | "apiKey" | "bearer";
export type ConsumerCredential = "anonymous" | "customer";
/** `share`: a link to one preview configuration, for people without a login. */
export type Credential = ManagementCredential | ConsumerCredential | "share";

/** Limits per minute (sign-up: per hour) and address for operations without authentication. */
type AddressLimit =
  | "login"
  | "report-leak"
  | "anonymous-token"
  | "registration"
  | "signup"
  | "refresh-token"
  | "password-reset"
  | "reset-request"
  | "preview-share"
  | "hand-off"
  | "passkey-options"
  | "provider-sign-out";

/** Limits per minute (of sample traffic: per hour) for all callers of a tenant together, in addition to those of each caller. */
type TenantLimit = "metrics-batch" | "sample-traffic";

/** A precondition of an operation about the caller or the installation: `codesOfRequirement` has the error code if it is not met. */
export type Requirement =
  /** Only users of the platform itself: no role grants it. */
  | "platform-user"
  /** The setting SIGN_UP is on. */
  | "open-sign-up"
  /** The tenant allows customers to register. */
  | "open-registration"
  /** The setting SMTP_URL is set. */
  | "mail"
  /** The request has a precondition, such as If-Match. */
  | "precondition";

/** Limits in addition to those of every request. */
interface RequestLimits {
  /** The largest body, in bytes. */
  body: number;
  /** Required if `credentials` is empty: a test checks all operations. */
  address?: AddressLimit;
  tenant?: TenantLimit;
  /** Counted against separate limits instead of those shared by all other requests of the caller and tenant. */
  own?: "verification";
  /** The maximum length of a list in the body: checked before any of its items, 413 beyond. */
  items?: { member: string; max: number };
  /** The tenant's requests are parsed and handled one after the other, because they are large and must not slow down other tenants. */
  isOneAtATime?: true;
}

/** The accepted API keys, where having the permission is not enough. */
interface KeyRule {
  /** Any user may call it, but a restricted key only if its restriction includes this permission. */
  restrictedNeeds?: Permission;
  /** The restriction must include the operation's permission: an unrestricted key is not enough. */
  mustNamePermission?: true;
  /** Only keys of service users: other users sign in. */
  mustBeOfServiceUser?: true;
  /** Only if this field of the tenant's security policy is set. */
  policy?: "allowsPasswordTokensByApiKey";
  /** No key is accepted, for this reason, if a session is the only credential: a test checks all operations. */
  noneBecause?: SessionOnlyReason;
}

/** How a POST with an Idempotency-Key is replayed, unless by its stored response in the caller's tenant. */
interface Replay {
  /** It only reads (RFC 9110, 9.2.1): it is never replayed. */
  isSafe?: true;
  /** The response contains a secret that must not be stored: the name of its field with the created object's id, null without one. */
  secretId?: string | null;
  /** The body field with the tenant in which the response is stored, if it is not the caller's. */
  worksIn?: string;
}

/** The declaration of an operation, the only source for checks, types, OpenAPI, docs, client and menu. */
export interface Endpoint<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Operation extends string = string,
  Credentials extends readonly Credential[] = readonly Credential[],
> {
  /** "METHOD /path/{parameter}" */
  operation: Operation;
  summary: string;
  /** Details in addition to the summary. */
  description?: string;
  /** The error codes of the operation itself, in addition to those that follow from the rest of the declaration. */
  codes?: readonly ErrorCode[];
  /** The consumer plane is called by customers, from pages of other origins too. */
  plane: "management" | "consumer";
  /** Empty for operations whose credential is in the body. */
  credentials: Credentials;
  /** "any-role": the caller needs a role in the tenant; absent: a valid credential is enough. */
  permission?: Permission | "any-role";
  keyRule?: KeyRule;
  /** The permission must come from a role in the whole tenant: a role at a site is not enough. */
  isTenantWide: boolean;
  requires: readonly Requirement[];
  query?: Query;
  body?: Body;
  /**
   * Rules of a valid request that the schemas cannot express: fields that exclude each other, or depend on each other. Added to the
   * examples of the reference and of the collection, after the fields that the schemas require.
   */
  example?: {
    query?: Readonly<Record<string, unknown>>;
    body?: Readonly<Record<string, unknown>>;
  };
  /** An empty body means {}. */
  isBodyOptional?: true;
  /** Absent for 204. */
  answer?: Answer;
  status: 200 | 201 | 202 | 204;
  /**
   * The encoding of the body; a form is parsed into an object of texts. The handler parses NDJSON itself, line by line as it arrives: the
   * body may be larger than memory, and is never replayed for an Idempotency-Key.
   */
  consumes: "application/json" | "application/x-www-form-urlencoded" | "application/x-ndjson";
  /** Media types of the response, the default first. */
  produces: readonly string[];
  /** The required headers of X-Service-Tenant and X-Service-Site: none, the tenant's, or both. */
  scope: "none" | "tenant" | "site";
  /** `metrics`: every authentication or permission error is a 401, an unacceptable Accept is a 400. */
  profile: "default" | "metrics";
  limits: RequestLimits;
  replay?: Replay;
  /**
   * Has an ETag, and supports If-Match and the like; "tag-and-time": also has a modification time, for If-Modified-Since and
   * If-Unmodified-Since.
   */
  conditional?: "tag" | "tag-and-time";
  /** This kind of credential is deprecated here: responses to it say so. */
  deprecatedCredential?: "bearer";
  /**
   * Needs a session whose password or second factor was checked recently. "policy": as the tenant's security policy
   * requires; "always": whatever the policy.
   */
  stepUp?: "policy" | "always";
  /** Allowed with a one-time password that was not changed yet. */
  worksBeforePasswordChange: boolean;
}

type Given = "operation" | "summary" | "credentials";

export const management = ["session", "apiKey", "bearer"] as const satisfies ManagementCredential[];

/** For users in a session, and for programs with a service user's key whose restriction names the permission. */
export const automation = {
  credentials: ["session", "apiKey"],
  keyRule: { mustNamePermission: true, mustBeOfServiceUser: true },
} as const;

/** For users in a session only, and why. */
export const inSession = <Reason extends SessionOnlyReason>(noneBecause: Reason) =>
  ({ credentials: ["session"], keyRule: { noneBecause } }) as const;

/** Declares an operation with the defaults that most have: tenant header, JSON, 200, 256 KiB. */
export function endpoint<
  Operation extends `${Method} /${string}`,
  const Credentials extends readonly Credential[],
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(
  declaration: Pick<Endpoint<Query, Body, Answer, Operation, Credentials>, Given> &
    Partial<Omit<Endpoint<Query, Body, Answer, Operation, Credentials>, Given | "limits">> & {
      limits?: Partial<RequestLimits>;
    },
): Endpoint<Query, Body, Answer, Operation, Credentials> {
  return {
    ...unset,
    plane: "management",
    status: 200,
    consumes: "application/json",
    produces: ["application/json"],
    scope: "tenant",
    profile: "default",
    isTenantWide: false,
    requires: [],
    worksBeforePasswordChange: false,
    ...declaration,
    limits: { ...unlimited, body: 256 * 1024, ...declaration.limits },
  };
}

export function methodOf(declared: { operation: string }): Method {
  return declared.operation.slice(0, declared.operation.indexOf(" ")) as Method;
}

export function pathOf(declared: { operation: string }): string {
  return declared.operation.slice(declared.operation.indexOf(" ") + 1);
}

/** Whether the handler reads the body while it arrives. */
export const isStreamed = ({ consumes }: Pick<Endpoint, "consumes">): boolean =>
  consumes === "application/x-ndjson";

/** Whether an Idempotency-Key counts. Responses to sign-ins are never stored: they are secrets, and create no object to name. */
export function isRepeatable(
  declared: Pick<Endpoint, "operation" | "credentials" | "limits" | "replay" | "consumes">,
): boolean {
  return (
    methodOf(declared) === "POST" &&
    !declared.replay?.isSafe &&
    !isStreamed(declared) &&
    declared.credentials.length > 0 &&
    declared.limits.address !== "login"
  );
}
