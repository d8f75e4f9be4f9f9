import {
  type AuthenticationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { t } from "@/components/texts/t";
import { call } from "@/lib/catalogue/client";
import type { SignInFailure } from "./sign-in-call";

/* The functions that use an authenticator. Loaded on first use. */

export { startRegistration };

const notUsed = (): SignInFailure => ({
  code: "passkey.not-used",
  detail: t("Try again, or sign in with your password."),
});

interface Asked {
  proof?: AuthenticationResponseJSON;
  failure?: SignInFailure;
}

/** Asks for one of the passkeys of this page. There is none when the user closes the browser's dialog. */
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

/** Offers passkeys in the browser's autofill, until one is chosen. Undefined when it was aborted or the browser does not support it. */
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
