import { isIP } from "node:net";
import type { z } from "zod";
import { log } from "@/lib/protocol/log";
import { publicUrl } from "@/lib/protocol/settings";
import type { NewPasskey, PasskeyProof } from "./passkey-contract";
import type { PasskeyRow } from "./passkey-rows";

/*
 * The only file that checks authenticators' signatures, with @simplewebauthn/server, which is loaded with the first passkey. Both
 * checks require the service's origin and host, the challenge, user presence and user verification.
 */

/** Ed25519, P-256 and RSA, which authenticators support, in order of preference. */
export const algorithms = [-8, -7, -257];

/** The host that passkeys belong to (RP ID). */
export const passkeyHost = (): string => new URL(publicUrl()).hostname;

/** Browsers store passkeys for host names, not for IP addresses, and only use them with https or on localhost. */
export function isPasskeyHost(): boolean {
  const { hostname, protocol } = new URL(publicUrl());
  const isAddress = hostname.startsWith("[") || isIP(hostname) !== 0;
  return !isAddress && (protocol === "https:" || /(?:^|\.)localhost$/.test(hostname));
}

const expected = (challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: new URL(publicUrl()).origin,
  expectedRPID: passkeyHost(),
  requireUserVerification: true,
});

interface ClientData {
  challenge: string;
  isFramed: boolean;
}

/** The client data of the browser, unverified; undefined if it is no JSON. */
export function clientDataOf(response: { clientDataJSON: string }): ClientData | undefined {
  try {
    const text = Buffer.from(response.clientDataJSON, "base64url").toString("utf8");
    const { challenge, crossOrigin }: Record<string, unknown> = JSON.parse(text);
    return typeof challenge === "string"
      ? { challenge, isFramed: crossOrigin === true }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Logs the reason, which the response does not contain. */
function noteRejected(error: unknown): undefined {
  log().info(
    { reason: error instanceof Error ? error.message : String(error) },
    "passkey rejected",
  );
  return undefined;
}

/**
 * The attestation without its statement about the authenticator's manufacturer, which was not requested. To check it, the library would
 * fetch revocation lists from any URL in its certificates.
 */
async function withoutStatement(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import("@simplewebauthn/server/helpers");
  const decoded = decodeAttestationObject(
    new Uint8Array(Buffer.from(attestationObject, "base64url")),
  );
  const bare = new Map<string, string | Uint8Array | Map<string, string>>();
  bare.set("fmt", "none").set("attStmt", new Map()).set("authData", decoded.get("authData"));
  return Buffer.from(isoCBOR.encode(bare)).toString("base64url");
}

export interface CheckedPasskey {
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
}

/** Undefined for a passkey that was not created for this service and this challenge. */
export async function checkNewPasskey(
  { id, rawId = id, type, response }: z.output<typeof NewPasskey>,
  challenge: string,
): Promise<CheckedPasskey | undefined> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { clientDataJSON, attestationObject } = response;
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expected(challenge),
      response: {
        ...{ id, rawId, type, clientExtensionResults: {} },
        response: {
          clientDataJSON,
          attestationObject: await withoutStatement(attestationObject),
        },
      },
      supportedAlgorithmIDs: algorithms,
    });
    if (!registrationInfo) return undefined;
    const { credential } = registrationInfo;
    return {
      credentialId: Buffer.from(credential.id, "base64url"),
      publicKey: Buffer.from(credential.publicKey),
      signCount: credential.counter,
    };
  } catch (error) {
    return noteRejected(error);
  }
}

/** The signature counter of a valid signature; undefined for an invalid one. The caller reports a counter that decreased. */
export async function checkProof(
  passkey: PasskeyRow,
  { id, rawId = id, type, response }: PasskeyProof,
  challenge: string,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { clientDataJSON, authenticatorData, signature } = response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected(challenge),
      response: {
        ...{ id, rawId, type, clientExtensionResults: {} },
        response: { clientDataJSON, authenticatorData, signature },
      },
      // Not the stored counter: the library would reject a lower one.
      credential: {
        id: passkey.credentialId.toString("base64url"),
        publicKey: new Uint8Array(passkey.secret),
        counter: 0,
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch (error) {
    return noteRejected(error);
  }
}
