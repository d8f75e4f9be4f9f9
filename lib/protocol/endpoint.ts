import type { z } from "zod";
import { unlimited, unset } from "./declared-shape";
import type { ErrorCode } from "./error-codes";
import type { Permission } from "./permissions";

/** Why an operation accepts no API key, not even one that names its permission: ends a sentence after "because". */
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

/** Limits per minute (sign-up: per hour) and address for operations that anybody may call. */
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

/** Limits per minute (of sample traffic: per hour) of all callers of a tenant together, in addition to those of each caller. */
type TenantLimit = "metrics-batch" | "sample-traffic";

/** A state of the caller or the installation that an operation needs: `codesOfRequirement` says what is answered without it. */
export type Requirement =
  /** Only users of the platform itself: no role gives it. */
  | "platform-user"
  /** The setting SIGN_UP is on. */
  | "open-sign-up"
  /** The tenant lets shoppers register. */
  | "open-registration"
  /** The setting SMTP_URL is set. */
  | "mail"
  /** The request has a precondition, If-Match for instance. */
  | "precondition";

/** What is counted or bounded besides the limits of every request. */
interface RequestLimits {
  /** The largest body, in bytes. */
  body: number;
  /** Required where `credentials` is empty: a test walks all operations. */
  address?: AddressLimit;
  tenant?: TenantLimit;
  /** Counted against separate limits, and not against those that all other requests of the caller and tenant share. */
  own?: "verification";
  /** The longest that a list of the body may be: checked before any of its items, 413 beyond. */
  items?: { member: string; max: number };
  /** The tenant's requests are parsed and handled one after the other: those are large, and other tenants must not notice. */
  isOneAtATime?: true;
}

/** Which API keys are accepted, where not each that has the permission is. */
interface KeyRule {
  /** What any user may do, a restricted key may only with this permission among its own. */
  restrictedNeeds?: Permission;
  /** The restriction must include the operation's permission: an unrestricted key is not enough. */
  mustNamePermission?: true;
  /** Of service users only: a person signs in. */
  mustBeOfServiceUser?: true;
  /** Only where this member of the tenant's security policy is set. */
  policy?: "allowsPasswordTokensByApiKey";
  /** None, and why, where a session is the only credential: a test walks all operations. */
  noneBecause?: SessionOnlyReason;
}

/** How a POST with an Idempotency-Key is replayed, where it is not by its stored response in the caller's tenant. */
interface Replay {
  /** It only reads (RFC 9110, 9.2.1): it is never replayed. */
  isSafe?: true;
  /** The answer holds a secret that must not be kept: its member that names what was created, null when it has none. */
  secretId?: string | null;
  /** The member of the body that names the tenant in which the work is kept, where it is not the caller's. */
  worksIn?: string;
}

/** What an operation is, declared once: checks, types, OpenAPI, docs, client and menu all read this. */
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
  /** Details that the summary leaves out. */
  description?: string;
  /** The error codes that the operation itself answers, in addition to those that follow from the rest of the declaration. */
  codes?: readonly ErrorCode[];
  /** The consumer plane is called by shoppers, from pages of other origins too. */
  plane: "management" | "consumer";
  /** Empty for operations whose credential is in the body. */
  credentials: Credentials;
  /** "any-role": the caller needs a role in the tenant; absent: a valid credential is enough. */
  permission?: Permission | "any-role";
  keyRule?: KeyRule;
  /** The permission must come from a role of the whole tenant: one at a site is not enough. */
  isTenantWide: boolean;
  requires: readonly Requirement[];
  query?: Query;
  body?: Body;
  /**
   * What the schemas cannot express about a valid request: fields that exclude each other, or make sense only together. The examples of
   * the reference and of the collection have it in addition to what the schemas require.
   */
  example?: {
    query?: Readonly<Record<string, unknown>>;
    body?: Readonly<Record<string, unknown>>;
  };
  /** No body stands for {}. */
  isBodyOptional?: true;
  /** Absent for 204. */
  answer?: Answer;
  status: 200 | 201 | 202 | 204;
  /**
   * How the body is encoded; a form is read as an object of texts. The handler reads NDJSON itself, line by line while it arrives: it may
   * be larger than memory, and is never replayed for an Idempotency-Key.
   */
  consumes: "application/json" | "application/x-www-form-urlencoded" | "application/x-ndjson";
  /** Media types of the answer, the default first. */
  produces: readonly string[];
  /** The headers X-Service-Tenant and X-Service-Site that a request must have: none, that of the tenant, or both. */
  scope: "none" | "tenant" | "site";
  /** `metrics`: every failure of a credential or permission is a 401, an unacceptable Accept is a 400. */
  profile: "default" | "metrics";
  limits: RequestLimits;
  replay?: Replay;
  /**
   * Has an ETag, and honours If-Match and its kin; "tag-and-time": the state has a time of its last change too, for If-Modified-Since
   * and If-Unmodified-Since.
   */
  conditional?: "tag" | "tag-and-time";
  /** This kind of credential will stop working here: answers to it say so. */
  deprecatedCredential?: "bearer";
  /**
   * Needs a session whose password or second factor was checked not long ago. "policy": as the tenant's security policy says;
   * "always": whatever it says.
   */
  stepUp?: "policy" | "always";
  /** Works with a one-time password that was not changed yet. */
  worksBeforePasswordChange: boolean;
}

type Given = "operation" | "summary" | "credentials";

export const management = ["session", "apiKey", "bearer"] as const satisfies ManagementCredential[];

/** For people in a session, and for programs: by the key of a service user that names the permission. */
export const automation = {
  credentials: ["session", "apiKey"],
  keyRule: { mustNamePermission: true, mustBeOfServiceUser: true },
} as const;

/** For people in a session only, and why. */
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

/** Whether an Idempotency-Key counts. A sign-in is never kept: what it answers are secrets, and nothing is created that could be named instead. */
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
