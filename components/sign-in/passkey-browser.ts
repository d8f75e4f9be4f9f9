import {
  type AuthenticationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { t } from "@/components/texts/t";
import { call } from "@/lib/catalogue/client";
import type { SignInFailure } from "./sign-in-call";

/* Everything that speaks with an authenticator. Loaded when the first passkey is asked for. */

export { startRegistration };

const notUsed = (): SignInFailure => ({
  code: "passkey.not-used",
  detail: t("Try again, or sign in with your password."),
});

interface Asked {
  proof?: AuthenticationResponseJSON;
  failure?: SignInFailure;
}

/** Asks for one of the passkeys of this page. A person who closes the browser's dialog gives none. */
export async function askPasskey(tenant: string): Promise<Asked> {
  try {
    const optionsJSON = await call("POST /v1/user/passkey-login/options", {
      tenant,
      body: { tenant },
    });
    return { proof: await startAuthentication({ optionsJSON }) };
  } catch {
    return { failure: notUsed() };
  }
}

/** Offers passkeys among what the browser fills in, until one is chosen. Undefined where it was ended or the browser cannot. */
export async function offerPasskeys(
  tenant: string,
): Promise<AuthenticationResponseJSON | undefined> {
  try {
    const optionsJSON = await call("POST /v1/user/passkey-login/options", {
      tenant,
      body: { tenant },
    });
    return await startAuthentication({ optionsJSON, useBrowserAutofill: true });
  } catch {
    return undefined;
  }
}

export const endOffer = (): void => WebAuthnAbortService.cancelCeremony();
