import type { z } from "zod";
import type { ErrorCode } from "./error-codes";
import type { Permission } from "./permissions";
import type { SessionOnlyReason } from "./session-only";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type ManagementCredential = "session" | "apiKey" | "bearer";
export type ConsumerCredential = "anonymous" | "customer";
/** `share`: a link to one preview configuration, for people without a login. */
export type Credential = ManagementCredential | ConsumerCredential | "share";

/** Limits per minute (sign-up: per hour) and address for operations that anybody may call. */
export type AddressLimit =
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

/** Limits per minute of all callers of a tenant together, in addition to those of each caller. */
export type TenantLimit = "metrics-batch";

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
  /** What any user may do, an API key that is narrowed to permissions may only with this one among them. */
  restrictedKeyNeeds?: Permission;
  /** The permission must come from a role of the whole tenant: one at a site is not enough. */
  isTenantWide: boolean;
  /** Only for users of the platform itself: no role gives it. */
  isForSystem?: true;
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
  /** Bytes. */
  bodyLimit: number;
  /** How the body is encoded; a form is read as an object of texts. */
  consumes: "application/json" | "application/x-www-form-urlencoded" | "application/x-ndjson";
  /** The handler reads the body itself, line by line while it arrives: it may be larger than memory. Never replayed for an Idempotency-Key. */
  isStreamed?: true;
  /** A POST that only reads (RFC 9110, 9.2.1): it is never replayed for an Idempotency-Key. */
  isSafe?: true;
  /** Media types of the answer, the default first. */
  produces: readonly string[];
  needsTenant: boolean;
  needsSite: boolean;
  /** `metrics`: every failure of a credential or permission is a 401, an unacceptable Accept is a 400. */
  profile: "default" | "metrics";
  /** Required where `credentials` is empty: a test walks all operations. */
  addressLimit?: AddressLimit;
  tenantLimit?: TenantLimit;
  /** Counted against separate limits, and not against those that all other requests of the caller and tenant share. */
  ownLimit?: "verification";
  /** The longest that a list of the body may be: checked before any of its items, 413 beyond. */
  itemLimit?: { member: string; max: number };
  /** The tenant's requests are parsed and handled one after the other: those are large, and other tenants must not notice. */
  isOneAtATime?: true;
  /** Where the answer holds a secret that must not be kept for a replay: its member that names what was created, null when it has none. */
  secretId?: string | null;
  /** The member of the body that names the tenant in which the work is kept, where it is not the caller's. */
  worksIn?: string;
  /** Has an ETag, and honours If-Match and its kin. */
  isConditional: boolean;
  /** The state has a time of its last change too, for If-Modified-Since and If-Unmodified-Since. */
  hasModificationTime?: true;
  /** Rejected with 428 where the request has no precondition. */
  needsPrecondition?: true;
  /** This kind of credential will stop working here: answers to it say so. */
  deprecatedCredential?: "bearer";
  /** Rejected where the tenant lets nobody register. */
  needsOpenRegistration?: true;
  /** Rejected where the setting SIGN_UP is off. */
  needsOpenSignUp?: true;
  /** Rejected where the setting SMTP_URL is empty. */
  needsMail?: true;
  /** API keys are accepted only where this member of the tenant's security policy is set. */
  apiKeyNeedsPolicy?: "allowsPasswordTokensByApiKey";
  /** API keys are accepted only when their restriction includes the permission: an unrestricted key is not enough. */
  apiKeyMustNamePermission?: true;
  /** API keys are accepted only of service users: a person signs in. */
  apiKeyMustBeOfServiceUser?: true;
  /** Why no API key is accepted, where a session is the only credential: a test walks all operations. */
  sessionOnly?: SessionOnlyReason;
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
  apiKeyMustNamePermission: true,
  apiKeyMustBeOfServiceUser: true,
} as const;

/** For people in a session only, and why. */
export const inSession = <Reason extends SessionOnlyReason>(sessionOnly: Reason) =>
  ({ credentials: ["session"], sessionOnly }) as const;

/** Declares an operation with the defaults that most have: tenant header, JSON, 200, 256 KiB. */
export function endpoint<
  Operation extends `${Method} /${string}`,
  const Credentials extends readonly Credential[],
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(
  declaration: Pick<Endpoint<Query, Body, Answer, Operation, Credentials>, Given> &
    Partial<Omit<Endpoint<Query, Body, Answer, Operation, Credentials>, Given>>,
): Endpoint<Query, Body, Answer, Operation, Credentials> {
  return {
    plane: "management",
    status: 200,
    bodyLimit: 256 * 1024,
    consumes: "application/json",
    produces: ["application/json"],
    needsTenant: true,
    needsSite: false,
    profile: "default",
    isTenantWide: false,
    isConditional: false,
    worksBeforePasswordChange: false,
    ...declaration,
  };
}

export function methodOf(declared: { operation: string }): Method {
  return declared.operation.slice(0, declared.operation.indexOf(" ")) as Method;
}

export function pathOf(declared: { operation: string }): string {
  return declared.operation.slice(declared.operation.indexOf(" ") + 1);
}

/** Whether an Idempotency-Key counts. A sign-in is never kept: what it answers are secrets, and nothing is created that could be named instead. */
export function isRepeatable(
  declared: Pick<Endpoint, "operation" | "credentials" | "addressLimit" | "isSafe" | "isStreamed">,
): boolean {
  return (
    methodOf(declared) === "POST" &&
    !declared.isSafe &&
    !declared.isStreamed &&
    declared.credentials.length > 0 &&
    declared.addressLimit !== "login"
  );
}
