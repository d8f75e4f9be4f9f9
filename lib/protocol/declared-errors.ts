import { type Endpoint, isRepeatable, methodOf } from "./endpoint";
import { type ErrorCode, errorCodes } from "./error-codes";
import type { ErrorStatus } from "./error-codes/entry";

type When = (declared: Endpoint) => boolean;

const hasCredential: When = ({ credentials }) => credentials.length > 0;
const isManaged: When = ({ plane, credentials }) =>
  plane === "management" && credentials.length > 0;
const acceptsKey: When = ({ credentials }) => credentials.includes("apiKey");
const acceptsCustomer: When = ({ credentials }) => credentials.includes("customer");
const takesToken: When = ({ credentials }) =>
  credentials.includes("anonymous") || credentials.includes("customer");
const hasBody: When = ({ body }) => body !== undefined;
/** A PUT or PATCH without an ETag cannot be meant for one either: 412. */
const isPreconditioned: When = (declared) =>
  declared.isConditional || ["PUT", "PATCH"].includes(methodOf(declared));
const isJson: When = ({ consumes }) => consumes === "application/json";
const isConsumer: When = ({ plane }) => plane === "consumer";
const isMetrics: When = ({ profile }) => profile === "metrics";
const isLimited: When = ({ credentials, addressLimit }) =>
  addressLimit !== undefined || credentials.some((kind) => kind !== "anonymous");
const storesSecret: When = (declared) => isRepeatable(declared) && declared.secretId !== undefined;
const both =
  (...all: When[]): When =>
  (declared) =>
    all.every((one) => one(declared));

/** What the checks of `route()` answer, by what an operation declares. What its verb answers stands in its own `codes`. */
const byDeclaration: [When, ErrorCode[]][] = [
  [() => true, ["request.malformed", "request.validation-failed"]],
  [({ needsTenant }) => needsTenant, ["request.header-missing", "request.header-invalid"]],
  [hasCredential, ["site.unknown"]],
  [isConsumer, ["site.unknown", "origin.not-allowed"]],
  [isManaged, ["user.locked", "user.deactivated"]],
  [hasCredential, ["auth.credentials-missing", "auth.credentials-invalid"]],
  [hasCredential, ["auth.scheme-not-accepted", "auth.ambiguous-credentials"]],
  [hasCredential, ["auth.credentials-expired"]],
  [takesToken, ["auth.token-wrong-kind", "auth.token-wrong-site"]],
  [acceptsCustomer, ["customer.locked"]],
  [acceptsKey, ["auth.api-key-suspended", "auth.address-not-allowed"]],
  [acceptsKey, ["rate-limit.api-key-exceeded"]],
  [({ credentials }) => credentials.includes("session"), ["request.cross-origin"]],
  [
    both(isManaged, ({ worksBeforePasswordChange }) => !worksBeforePasswordChange),
    ["auth.password-change-required"],
  ],
  [({ permission }) => permission === "any-role", ["user.no-role"]],
  [
    ({ permission, isForSystem }) =>
      isForSystem === true || (permission !== undefined && permission !== "any-role"),
    ["auth.permission-missing"],
  ],
  [
    both(
      acceptsKey,
      ({ permission, restrictedKeyNeeds }) =>
        restrictedKeyNeeds !== undefined || (permission ?? "any-role") !== "any-role",
    ),
    ["auth.api-key-restricted"],
  ],
  [
    both(acceptsKey, ({ apiKeyMustNamePermission }) => apiKeyMustNamePermission === true),
    ["auth.api-key-unrestricted"],
  ],
  [
    both(acceptsKey, ({ apiKeyMustBeOfServiceUser }) => apiKeyMustBeOfServiceUser === true),
    ["auth.api-key-of-person"],
  ],
  [
    ({ apiKeyNeedsPolicy }) => apiKeyNeedsPolicy !== undefined,
    ["customer.password-token-session-only"],
  ],
  [({ needsOpenRegistration }) => needsOpenRegistration === true, ["customer.registration-closed"]],
  [({ needsOpenSignUp }) => needsOpenSignUp === true, ["signup.closed"]],
  [(declared) => !isMetrics(declared), ["request.not-acceptable"]],
  [isMetrics, ["request.accept-not-supported"]],
  [
    hasBody,
    [
      "request.body-timed-out",
      "request.body-too-large",
      "request.too-many-items",
      "request.unsupported-media-type",
    ],
  ],
  [both(hasBody, isJson), ["request.invalid-json"]],
  [both(hasBody, (declared) => !isJson(declared)), ["request.invalid-form"]],
  [isPreconditioned, ["precondition.invalid", "precondition.failed"]],
  [({ needsPrecondition }) => needsPrecondition === true, ["precondition.required"]],
  [isRepeatable, ["idempotency.key-invalid", "idempotency.in-flight", "idempotency.key-reused"]],
  [storesSecret, ["idempotency.secret-not-replayable"]],
  [isLimited, ["rate-limit.exceeded"]],
];

/** What the server answers before or instead of any handler, whatever the operation. */
const codesOfServer: readonly ErrorCode[] = [
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

/** The status that an operation answers a code with: metrics answers 401 for every 403. */
export function statusOfCode({ profile }: Pick<Endpoint, "profile">, code: ErrorCode): ErrorStatus {
  const { status } = errorCodes[code];
  return profile === "metrics" && status === 403 ? 401 : status;
}

/** Every error code that an operation may answer, by status in ascending order: a closed list. */
export function declaredErrors(declared: Endpoint): Map<ErrorStatus, ErrorCode[]> {
  const codes = [
    ...byDeclaration.flatMap(([when, codes]) => (when(declared) ? codes : [])),
    ...(declared.codes ?? []),
    ...codesOfServer,
  ];
  const found = new Map<ErrorStatus, ErrorCode[]>();
  for (const code of [...new Set(codes)].sort()) {
    const status = statusOfCode(declared, code);
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return new Map([...found].sort(([a], [b]) => a - b));
}
