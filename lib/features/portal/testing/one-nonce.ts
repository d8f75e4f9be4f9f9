import { clientId } from "@/lib/features/connections/testing/identity-provider";
import type { LyingProvider } from "@/lib/features/connections/testing/lying-provider";

interface Began {
  /** The URL of one of the processes. */
  url: string;
  /** The public URL of the service. */
  publicUrl: string;
  /** TENANT.CONNECTION. */
  providerId: string;
}

/**
 * Starts a sign-in at the provider over HTTP, which then returns the same ID token for every code. Returns a function that sends the
 * callback to one of the processes, and resolves to whether it opened a session.
 */
export async function beginOneSignIn(liar: LyingProvider, { url, publicUrl, providerId }: Began) {
  const cookies = new Map<string, string>();
  const sent = async (path: string, form?: Record<string, string>) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(`${url}${path}`, {
      headers: { cookie, origin: publicUrl },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response.json();
  };
  const { csrfToken } = (await sent("/api/auth/csrf")) as { csrfToken: string };
  const path = `/api/auth/signin/${providerId}`;
  const begun = (await sent(path, { csrfToken, intent: "sign-in" })) as { url: string };
  const { searchParams } = new URL(begun.url);
  const now = Math.floor(Date.now() / 1000);
  const idToken = await liar.sign({
    ...{ iss: liar.issuer, aud: clientId, sub: "one", iat: now, exp: now + 300 },
    ...{ nonce: searchParams.get("nonce"), preferred_username: "one" },
    ...{ email: "one@shop.example", name: "One" },
  });
  liar.answer("/token", () => ({ body: { id_token: idToken, access_token: "x" } }));
  const back = new URLSearchParams({ code: "any", state: searchParams.get("state") ?? "" });
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return async (at: string): Promise<boolean> => {
    const address = `${at}/api/auth/callback/${providerId}?${back}`;
    const response = await fetch(address, { headers: { cookie }, redirect: "manual" });
    await response.body?.cancel();
    return /\/t\/[^/]+$/.test(response.headers.get("location") ?? "");
  };
}
