import { t } from "@/components/texts/t";

/** The reason why a sign-in was rejected, from the service's error. */
export interface SignInFailure {
  code: string;
  detail: string;
  requestId?: string;
  retryAfterSeconds?: number;
}

interface Credentials {
  tenant: string;
  login: string;
  password: string;
}

const unreachable = (): SignInFailure => ({
  code: "network.unreachable",
  detail: t("The service could not be reached. Check your connection and try again."),
});

/** The number of retries of a sign-in while the service is busy checking other passwords. */
const maxRepeats = 4;

/** Signs in through next-auth. Returns the reason of a rejection, or undefined when the browser now has the session. */
export async function signIn(credentials: Credentials): Promise<SignInFailure | undefined> {
  for (let repeats = 0; ; repeats++) {
    const failure = await enter("credentials", { ...credentials });
    if (failure?.code !== "auth.busy" || repeats === maxRepeats) return failure;
    // Random, so that clients that were rejected together do not retry together.
    const seconds = (failure.retryAfterSeconds ?? 2) + Math.random();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** The second step. The challenge of the first step is in a cookie, except when that form was sent without scripts. */
export function finishSignIn(fields: Record<string, string>): Promise<SignInFailure | undefined> {
  return enter("second-factor", fields);
}

/** Signs in with a passkey's assertion. */
export function signInByPasskey(
  tenant: string,
  passkey: unknown,
): Promise<SignInFailure | undefined> {
  return enter("passkey", { tenant, passkey: JSON.stringify(passkey) });
}

/** Signs in to another tenant of the signed-in user, without a password. */
export function switchTenant(from: string, tenant: string): Promise<SignInFailure | undefined> {
  return enter("switch", { from, tenant });
}

async function enter(
  provider: "credentials" | "second-factor" | "passkey" | "switch",
  fields: Record<string, string>,
): Promise<SignInFailure | undefined> {
  try {
    const { csrfToken } = (await (await fetch("/api/auth/csrf", { cache: "no-store" })).json()) as {
      csrfToken: string;
    };
    const response = await fetch(`/api/auth/callback/${provider}`, {
      method: "POST",
      body: new URLSearchParams({ ...fields, csrfToken, json: "true", callbackUrl: "/" }),
    });
    const { url } = (await response.json()) as { url: string };
    const error = new URL(url, window.location.origin).searchParams.get("error");
    return error === null ? undefined : readFailure(error);
  } catch {
    return unreachable();
  }
}

function readFailure(text: string): SignInFailure {
  try {
    return JSON.parse(text) as SignInFailure;
  } catch {
    return {
      code: "server.internal-error",
      detail: t("Something went wrong on our side. Try again."),
    };
  }
}
