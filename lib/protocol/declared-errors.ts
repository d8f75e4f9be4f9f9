import { type Endpoint, isRepeatable, management, methodOf, type Requirement } from "./endpoint";
import { type ErrorCode, errorCodes } from "./error-codes";
import type { ErrorStatus } from "./error-codes/entry";
import { maxArrayItems } from "./json";

type When = (declared: Endpoint) => boolean;

const hasCredential: When = ({ credentials }) => credentials.length > 0;
const isManaged: When = ({ plane, credentials }) =>
  plane === "management" && credentials.length > 0;
const acceptsKey: When = ({ credentials }) => credentials.includes("apiKey");
const signsIn: When = ({ credentials }) =>
  credentials.includes("session") || credentials.includes("bearer");
const acceptsCustomer: When = ({ credentials }) => credentials.includes("customer");
const takesToken: When = ({ credentials }) =>
  credentials.includes("anonymous") || credentials.includes("customer");
const hasBody: When = ({ body }) => body !== undefined;
/** If-Match gets 412 from a PUT, PATCH or DELETE without an ETag too. */
const isPreconditioned: When = (declared) =>
  declared.conditional !== undefined || ["PUT", "PATCH", "DELETE"].includes(methodOf(declared));
const isJson: When = ({ consumes }) => consumes === "application/json";
const isForm: When = ({ consumes }) => consumes === "application/x-www-form-urlencoded";
const isConsumer: When = ({ plane }) => plane === "consumer";
const isMetrics: When = ({ profile }) => profile === "metrics";
const isLimited: When = ({ credentials, limits }) =>
  limits.address !== undefined || credentials.some((kind) => kind !== "anonymous");
/** If every kind of credential is accepted, no kind is wrong. */
const rejectsKinds: When = ({ plane, credentials }) =>
  credentials.length > 0 &&
  !(plane === "management" && management.every((kind) => credentials.includes(kind)));
/** An item and its comma take two bytes. */
const mayHoldTooMany: When = ({ limits }) =>
  limits.items !== undefined || limits.body > 2 * maxArrayItems;
const storesSecret: When = (declared) =>
  isRepeatable(declared) && declared.replay?.secretId !== undefined;
const both =
  (...all: When[]): When =>
  (declared) =>
    all.every((one) => one(declared));

/** The error codes of the checks of `route()`, by the operation's declaration. Those of the operation itself are in its `codes`. */
const byDeclaration: [When, ErrorCode[]][] = [
  [() => true, ["request.malformed", "request.validation-failed"]],
  [hasCredential, ["site.unknown"]],
  [isConsumer, ["origin.not-allowed"]],
  // A token in a body names its site, which is checked with the token.
  [both(isConsumer, (declared) => !hasBody(declared)), ["site.unknown"]],
  [isManaged, ["user.locked", "user.deactivated"]],
  [hasCredential, ["auth.credentials-missing", "auth.credentials-invalid"]],
  [rejectsKinds, ["auth.scheme-not-accepted"]],
  [hasCredential, ["auth.ambiguous-credentials"]],
  [hasCredential, ["auth.credentials-expired"]],
  [takesToken, ["auth.token-wrong-kind", "auth.token-wrong-site"]],
  [acceptsCustomer, ["customer.locked"]],
  [acceptsKey, ["auth.api-key-suspended", "auth.address-not-allowed"]],
  [acceptsKey, ["rate-limit.api-key-exceeded"]],
  [({ credentials }) => credentials.includes("session"), ["request.cross-origin"]],
  [
    // The one-time password of a key's owner does not affect the key.
    both(isManaged, signsIn, ({ worksBeforePasswordChange }) => !worksBeforePasswordChange),
    ["auth.password-change-required"],
  ],
  [({ stepUp }) => stepUp !== undefined, ["auth.step-up-required"]],
  [({ permission }) => permission === "any-role", ["user.no-role"]],
  [
    ({ permission }) => permission !== undefined && permission !== "any-role",
    ["auth.permission-missing"],
  ],
  [
    both(
      acceptsKey,
      ({ permission, keyRule }) =>
        keyRule?.restrictedNeeds !== undefined || (permission ?? "any-role") !== "any-role",
    ),
    ["auth.api-key-restricted"],
  ],
  [
    both(acceptsKey, ({ keyRule }) => keyRule?.mustNamePermission === true),
    ["auth.api-key-unrestricted"],
  ],
  [
    both(acceptsKey, ({ keyRule }) => keyRule?.mustBeOfServiceUser === true),
    ["auth.api-key-of-person"],
  ],
  [({ keyRule }) => keyRule?.policy !== undefined, ["customer.password-token-session-only"]],
  [(declared) => !isMetrics(declared), ["request.not-acceptable"]],
  [isMetrics, ["request.accept-not-supported"]],
  [hasBody, ["request.body-timed-out", "request.body-too-large", "request.unsupported-media-type"]],
  [both(hasBody, isJson), ["request.invalid-json"]],
  [both(hasBody, isJson, mayHoldTooMany), ["request.too-many-items"]],
  [both(hasBody, isForm), ["request.invalid-form"]],
  [isPreconditioned, ["precondition.invalid", "precondition.failed"]],
  [isRepeatable, ["idempotency.key-invalid", "idempotency.in-flight", "idempotency.key-reused"]],
  [storesSecret, ["idempotency.secret-not-replayable"]],
  [isLimited, ["rate-limit.exceeded"]],
];

/** The error code where a requirement of the operation is not met. */
const codesOfRequirement: Record<Requirement, ErrorCode> = {
  "platform-user": "auth.permission-missing",
  "open-sign-up": "signup.closed",
  "open-registration": "customer.registration-closed",
  mail: "mail.off",
  precondition: "precondition.required",
};

/** The errors of the server before or instead of any handler, for every operation. */
const codesOfServer: readonly ErrorCode[] = [
  "request.header-missing",
  "request.header-invalid",
  "request.duplicate-header",
  "request.expectation-failed",
  "request.target-too-long",
  "request.headers-too-large",
  "request.timed-out",
  "rate-limit.exceeded",
  "server.internal-error",
  "server.store-unavailable",
  "server.store-full",
  "server.store-read-only",
  "server.store-busy",
  "server.overloaded",
  "server.stopping",
];

/** The status of an operation's error code: metrics responds with 401 for every 403. */
export function statusOfCode({ profile }: Pick<Endpoint, "profile">, code: ErrorCode): ErrorStatus {
  const { status } = errorCodes[code];
  return profile === "metrics" && status === 403 ? 401 : status;
}

/** The codes of an operation's checks, and of the server before them: all except those of the operation itself. */
export const checkErrors = (declared: Endpoint): ErrorCode[] => [
  ...new Set([
    ...byDeclaration.flatMap(([when, codes]) => (when(declared) ? codes : [])),
    ...declared.requires.map((requirement) => codesOfRequirement[requirement]),
    ...codesOfServer,
  ]),
];

/** Every error code that an operation may return, by status in ascending order: a closed list. */
export function declaredErrors(declared: Endpoint): Map<ErrorStatus, ErrorCode[]> {
  const codes = [...checkErrors(declared), ...(declared.codes ?? [])];
  const found = new Map<ErrorStatus, ErrorCode[]>();
  for (const code of [...new Set(codes)].sort()) {
    const status = statusOfCode(declared, code);
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return new Map([...found].sort(([a], [b]) => a - b));
}
