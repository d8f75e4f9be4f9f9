import { isIP } from "node:net";
import type { z } from "zod";
import { log } from "@/lib/protocol/log";
import { publicUrl } from "@/lib/protocol/settings";
import type { NewPasskey, PasskeyProof } from "./passkey-contract";
import type { PasskeyRow } from "./passkey-rows";

/*
 * The only place that checks what authenticators sign, by @simplewebauthn/server, which is loaded with the first passkey. Both checks
 * require our origin, our host, the challenge, a present person, and that the authenticator verified who it is.
 */

/** Ed25519, P-256 and RSA: what authenticators have, in the order of preference. */
export const algorithms = [-8, -7, -257];

/** The host that passkeys belong to (RP ID). */
export const passkeyHost = (): string => new URL(publicUrl()).hostname;

/** Browsers keep passkeys for names, not for addresses, and use them where nobody reads along: with https, or on this machine. */
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

/** What the browser says it was asked, before anything of it is checked; undefined where it is no JSON. */
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

/** The reason is only logged: the response says no more than that. */
function noteRejected(error: unknown): undefined {
  log().info(
    { reason: error instanceof Error ? error.message : String(error) },
    "passkey rejected",
  );
  return undefined;
}

/**
 * The attestation without the statement of who made the authenticator: nobody asked for one. To check it, the library would fetch lists
 * of revoked certificates from whatever addresses the certificates in it name.
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

/** Undefined for what an authenticator did not make for us and this challenge. */
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

/** The count of signatures that came with a right one; undefined for a wrong one. A count that fell is reported by the caller. */
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
      // With its own count the library would reject one that fell.
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
