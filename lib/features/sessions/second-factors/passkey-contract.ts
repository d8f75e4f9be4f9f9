import { z } from "zod";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { boundedText, Label } from "@/lib/protocol/formats";
import { RecoveryCodes, SecondFactor } from "./contract";

/** Bytes as browsers write them in JSON (Web Authentication, level 3). */
const Bytes = (max: number, description: string) =>
  boundedText(max)
    .regex(/^[A-Za-z0-9_-]+$/, { message: "must be base64url" })
    .meta({ description, examples: ["Zm9vYmFy"] });

const type = z.literal("public-key");

/** The members that a credential of the browser has in JSON; those without a schema are not read. */
const credential = {
  /** The maximum length of a credential id: 1,023 bytes. */
  id: Bytes(1364, "How the authenticator names the passkey"),
  rawId: Bytes(1364, "The same").optional(),
  type,
  authenticatorAttachment: boundedText(32).nullable().optional().meta({ description: "Not read" }),
  clientExtensionResults: z.unknown().optional().meta({ description: "Not read" }),
};

const clientDataJSON = Bytes(4096, "What the browser was asked, and on which page");

export const NewPasskey = z.strictObject({
  ...credential,
  response: z
    .strictObject({
      clientDataJSON,
      attestationObject: Bytes(16_384, "The public key, from the authenticator"),
      transports: z
        .array(boundedText(32).regex(/^[a-z-]+$/))
        .max(8)
        .optional()
        .meta({
          description: "How the browser reaches the authenticator",
          examples: [["internal"]],
        }),
      authenticatorData: Bytes(16_384, "Not read").optional(),
      publicKey: Bytes(4096, "Not read").nullable().optional().meta({ description: "Not read" }),
      publicKeyAlgorithm: z.int().optional().meta({ description: "Not read" }),
    })
    .meta({ description: "What the authenticator made" }),
});

export const PasskeyProof = z
  .strictObject({
    ...credential,
    response: z
      .strictObject({
        clientDataJSON,
        authenticatorData: Bytes(2048, "The host, and whether the person was verified"),
        signature: Bytes(4096, "Of both"),
        userHandle: Bytes(128, "")
          .nullable()
          .optional()
          .meta({ description: "What the authenticator keeps for the person" }),
      })
      .meta({ description: "What the authenticator signed" }),
  })
  .meta({
    description:
      "What navigator.credentials.get() returned for the options of POST /v1/user/passkey-login/options, as JSON",
  });

export type PasskeyProof = z.output<typeof PasskeyProof>;

const Described = z.object({
  id: z.string(),
  type,
  transports: z.array(z.string()).meta({ description: "How the browser reaches it" }),
});

const Required = z.literal("required").meta({
  description: "The authenticator has to verify the person: PIN, fingerprint or face",
});
const Host = z.string().meta({ description: "The host of PUBLIC_URL", examples: ["localhost"] });

export const PasskeyProofOptions = z.object({
  challenge: z.string().meta({ description: "Valid for 5 minutes and one use" }),
  rpId: Host,
  allowCredentials: z.array(Described).meta({ description: "Empty: the person picks a passkey" }),
  timeout: z.int().meta({ description: "Milliseconds" }),
  userVerification: Required,
});

export const NewPasskeyOptions = z.object({
  rp: z.object({ id: Host, name: z.string() }).meta({ description: "Where the passkey works" }),
  user: z.object({
    id: z.string().meta({ description: "Random: it names nobody" }),
    name: z.string(),
    displayName: z.string().meta({ description: "The name of the user" }),
  }),
  challenge: z.string().meta({ description: "Valid for 5 minutes, one use and this session" }),
  pubKeyCredParams: z
    .array(z.object({ type, alg: z.int().meta({ description: "A COSE algorithm" }) }))
    .meta({ description: "The kinds of keys, in the order of preference" }),
  timeout: z.int().meta({ description: "Milliseconds" }),
  excludeCredentials: z.array(Described).meta({ description: "The passkeys that one has" }),
  authenticatorSelection: z
    .object({
      residentKey: z.literal("required").meta({ description: "The passkey knows its user" }),
      requireResidentKey: z.literal(true).meta({ description: "The same, for older browsers" }),
      userVerification: Required,
    })
    .meta({ description: "What the authenticator must be able to do" }),
  attestation: z.literal("none").meta({ description: "The make of the device is not asked" }),
});

const own = { ...inSession("ownAccount"), permission: "any-role", stepUp: "always" } as const;

export const createPasskeyOptions = endpoint({
  operation: "POST /v1/user/passkeys/options",
  summary: "Begin to add a passkey: the answer is for navigator.credentials.create()",
  description:
    "The challenge is good for 5 minutes, one use, and this session. Nothing is stored before POST /v1/user/passkeys.",
  ...own,
  replay: { isSafe: true },
  answer: NewPasskeyOptions,
  codes: ["user.other-home", "user.no-password", "second-factor.limit-reached"],
});

export const createPasskey = endpoint({
  operation: "POST /v1/user/passkeys",
  summary:
    "Add a passkey that navigator.credentials.create() made; the first second factor is answered ten recovery codes and ends one's other sessions",
  description:
    "It signs in without a password, and counts as a second factor beside one: the authenticator has to verify the person (PIN, fingerprint, face).",
  ...own,
  status: 201,
  body: z.strictObject({ name: Label.optional(), passkey: NewPasskey }),
  answer: SecondFactor.extend({ recoveryCodes: RecoveryCodes.optional() }),
  replay: { secretId: "id" },
  codes: ["user.other-home", "user.no-password", "second-factor.limit-reached"],
});
