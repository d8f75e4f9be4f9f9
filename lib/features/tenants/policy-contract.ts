import { z } from "zod";
import { durationSeconds } from "@/lib/protocol/durations";
import { automation, endpoint, inSession } from "@/lib/protocol/endpoint";
import { boundedText } from "@/lib/protocol/formats";

/** Seconds of an ISO 8601 duration within bounds. */
const between = (description: string, from: string, to: string) => {
  const [min = 0, max = 0] = [durationSeconds(from), durationSeconds(to)];
  return boundedText(64)
    .transform((text, context) => {
      const seconds = durationSeconds(text);
      if (seconds !== undefined && seconds >= min && seconds <= max) return seconds;
      context.addIssue({
        code: "custom",
        message: `must be a duration from ${from} to ${to}`,
      });
      return z.NEVER;
    })
    .optional()
    .meta({
      type: "string",
      format: "duration",
      maxLength: 64,
      description: `${description}: ${from} to ${to}`,
    });
};

/** "auto": PT15M once a user of the tenant has a second factor, and off before. */
const StepUp = z
  .union([z.enum(["auto", "off"]), between("", "PT5M", "PT24H").unwrap()])
  .optional()
  .meta({
    description:
      'How old the last proof of identity may be for sensitive operations: PT5M to PT24H, "off" requires none, "auto" (without it) requires PT15M once somebody of the tenant has a second factor',
  });

/** Whole days, the unit of a key's age. */
const Days = between("How long an API key may be valid at most", "P1D", "P366D").refine(
  (seconds) => (seconds ?? 0) % 86_400 === 0,
  {
    message: "must be whole days, such as P90D",
  },
);

const secondFactorMeaning =
  "Who has to have a second factor after a password; who has none sets one up at the next sign-in";
const passwordMeaning =
  "Who signs in with a password: everybody, or only emergency administrators, while the others sign in at an identity provider";
const passkeysMeaning = "Whether people sign in with only a passkey";
const fromMeaning = "From the beginning of this day on, in UTC; without it at once";

export const NewSecurityPolicy = z.strictObject({
  sessionIdle: between("A session ends after this without use", "PT1M", "PT12H"),
  sessionAbsolute: between("A session ends after this at the latest", "PT5M", "P7D"),
  apiKeyMaximumAge: Days,
  anonymousToken: between(
    "The token of a shopper who has not signed in ends after this",
    "PT1M",
    "P1D",
  ),
  accessToken: between("A customer's access token ends after this", "PT1M", "PT1H"),
  refreshIdle: between("A customer's refresh token ends after this without use", "PT1H", "P180D"),
  refreshAbsolute: between("A customer's sign-in ends after this at the latest", "PT1H", "P366D"),
  refreshGrace: between(
    "So long a refresh token may be repeated after its rotation",
    "PT0S",
    "PT1M",
  ),
  customerRegistration: z
    .boolean()
    .optional()
    .meta({ description: "Whether shoppers may register themselves at the tenant's sites: true" }),
  passwordTokensByApiKey: z
    .boolean()
    .optional()
    .meta({ description: "Whether API keys may create password tokens of customers: false" }),
  stepUp: StepUp,
  secondFactor: z
    .enum(["off", "administrators", "everybody"])
    .optional()
    .meta({ description: `${secondFactorMeaning}: off` }),
  secondFactorFrom: z.iso.date().optional().meta({ description: fromMeaning }),
  signIn: z
    .strictObject({
      password: z
        .enum(["everybody", "emergency-only"])
        .optional()
        .meta({ description: `${passwordMeaning}: everybody` }),
      passkeys: z
        .enum(["on", "off"])
        .optional()
        .meta({ description: `${passkeysMeaning}: on` }),
    })
    .optional()
    .meta({ description: "By what people sign in" }),
});

export type NewSecurityPolicy = z.output<typeof NewSecurityPolicy>;

const duration = (description: string) =>
  z.string().meta({ format: "duration", maxLength: 64, description });

export const SecurityPolicyAnswer = z.object({
  sessionIdle: duration("A session ends after this without use."),
  sessionAbsolute: duration("A session ends after this at the latest."),
  apiKeyMaximumAge: duration("How long an API key may be valid at most."),
  anonymousToken: duration("The token of a shopper who has not signed in ends after this."),
  accessToken: duration("A customer's access token ends after this."),
  refreshIdle: duration("A customer's refresh token ends after this without use."),
  refreshAbsolute: duration("A customer's sign-in ends after this at the latest."),
  refreshGrace: duration("So long a refresh token may be repeated after its rotation."),
  customerRegistration: z
    .boolean()
    .meta({ description: "Whether shoppers may register themselves at the tenant's sites." }),
  passwordTokensByApiKey: z
    .boolean()
    .meta({ description: "Whether API keys may create password tokens of customers." }),
  stepUp: z.string().meta({
    maxLength: 64,
    description:
      'How old the last proof of identity may be for sensitive operations: a duration, "off", or "auto", which requires PT15M once somebody of the tenant has a second factor.',
  }),
  secondFactor: z
    .enum(["off", "administrators", "everybody"])
    .meta({ description: `${secondFactorMeaning}.` }),
  secondFactorFrom: z
    .string()
    .optional()
    .meta({ format: "date", maxLength: 10, description: `${fromMeaning}.` }),
  signIn: z
    .object({
      password: z
        .enum(["everybody", "emergency-only"])
        .meta({ description: `${passwordMeaning}.` }),
      passkeys: z.enum(["on", "off"]).meta({ description: `${passkeysMeaning}.` }),
    })
    .meta({ description: "By what people sign in." }),
});

export type SecurityPolicyAnswer = z.infer<typeof SecurityPolicyAnswer>;

const manage = { permission: "tenant.manage", isTenantWide: true } as const;

export const getSecurityPolicy = endpoint({
  operation: "GET /v1/tenant/security-policy",
  summary:
    "Show the lifetimes of the tenant's credentials, whether shoppers may register, and whether API keys may create password tokens",
  ...automation,
  ...manage,
  answer: SecurityPolicyAnswer,
  conditional: "tag",
});

export const setSecurityPolicy = endpoint({
  operation: "PUT /v1/tenant/security-policy",
  stepUp: "policy",
  summary:
    "Set the lifetimes of the tenant's credentials, which new ones follow, and whether shoppers may register; what is left out is as the product has it",
  ...inSession("securityPolicy"),
  ...manage,
  body: NewSecurityPolicy,
  answer: SecurityPolicyAnswer,
  conditional: "tag",
  codes: ["sign-in.not-safe"],
});
