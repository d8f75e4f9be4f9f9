import { createHash } from "node:crypto";
import { openSessions, portalCookieName } from "@/lib/access/portal-cookie";
import { answerConnection } from "@/lib/features/portal/connection-return";
import { openCookie } from "@/lib/features/portal/cookies";
import { authOptions } from "@/lib/features/portal/portal";
import type { SignInOutcome } from "@/lib/features/portal/values";
import { publicUrl } from "@/lib/protocol/settings";

type Form = Record<string, string>;

/** The page that a browser arrived at: a path, and the outcome of a sign-in if it is the outcome page. */
export interface Arrived {
  path: string;
  outcome: SignInOutcome | undefined;
}

const csrfToken = "of a test";

async function answered(request: Request, action: string, providerId: string): Promise<Response> {
  const response = await answerConnection(request, [action, providerId]);
  if (!response) throw new Error(`${providerId} is no connection.`);
  return response;
}

/** A minimal browser for signing in at a provider: cookies by host, and the actions of a user. */
export class ProviderBrowser {
  private readonly jar = new Map<string, Map<string, string>>();

  constructor() {
    const hash = createHash("sha256").update(`${csrfToken}${authOptions().secret}`).digest("hex");
    this.cookies(publicUrl()).set(
      "next-auth.csrf-token",
      encodeURIComponent(`${csrfToken}|${hash}`),
    );
  }

  cookies(url: string): Map<string, string> {
    const { host } = new URL(url);
    const own = this.jar.get(host) ?? new Map<string, string>();
    this.jar.set(host, own);
    return own;
  }

  cookieHeader(url = publicUrl()): string {
    return [...this.cookies(url)].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  private keep(url: string, { headers }: Response): void {
    const own = this.cookies(url);
    for (const line of headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split(";");
      const equals = pair.indexOf("=");
      const isGone = attributes.some((one) =>
        /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(one),
      );
      if (isGone) own.delete(pair.slice(0, equals));
      else own.set(pair.slice(0, equals), pair.slice(equals + 1));
    }
  }

  /** Clicks on the button of a provider. Returns the response, which has the URL at the provider. */
  async begin(providerId: string, form: Form = {}, headers: Form = {}): Promise<Response> {
    const url = `${publicUrl()}/api/auth/signin/${providerId}`;
    const request = new Request(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        ...{ Origin: publicUrl(), Cookie: this.cookieHeader(), "X-Service-Request-Id": "begun" },
        ...headers,
      },
      body: new URLSearchParams({ csrfToken, ...form }),
    });
    const response = await answered(request, "signin", providerId);
    this.keep(url, response);
    return response;
  }

  /** Like `begin`, but returns the URL at the provider. */
  async addressAtProvider(providerId: string, form: Form = {}): Promise<URL> {
    const { url } = (await (await this.begin(providerId, form)).json()) as { url: string };
    return new URL(url, publicUrl());
  }

  /** Requests the URL for the sign-out at the provider. */
  async addressOfSignOut(providerId: string): Promise<Response> {
    const url = `${publicUrl()}/api/auth/signout/${providerId}`;
    const headers = { Origin: publicUrl(), Cookie: this.cookieHeader() };
    const request = new Request(url, { method: "POST", headers });
    const response = await answered(request, "signout", providerId);
    this.keep(url, response);
    return response;
  }

  /** Opens a URL of the provider, and returns its response. */
  async openAt(url: string, form?: Form): Promise<Response> {
    const response = await fetch(url, {
      redirect: "manual",
      headers: { Cookie: this.cookieHeader(url) },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    this.keep(url, response);
    return response;
  }

  /** Signs in and consents on the pages of the provider. Returns the callback URL that it redirects to. */
  async signInAt(start: URL, login: string): Promise<URL> {
    let [url, form]: [string, Form | undefined] = [start.href, undefined];
    for (let step = 0; step < 20; step += 1) {
      const response: Response = await this.openAt(url, form);
      const location: string | null = response.headers.get("location");
      const text: string = await response.text();
      if (location?.startsWith(publicUrl())) return new URL(location);
      form = undefined;
      if (location) url = new URL(location, url).href;
      else {
        const action = /action="([^"]+)"/.exec(text)?.[1];
        const prompt = /name="prompt" value="([^"]+)"/.exec(text)?.[1];
        if (!action || !prompt)
          throw new Error(`The provider answered ${response.status}: ${text}`);
        url = new URL(action, url).href;
        form = { prompt, login, password: "any" };
      }
    }
    throw new Error("The provider does not send the browser back.");
  }

  /** Follows a callback URL from the provider. */
  async comeBack(url: URL): Promise<Arrived> {
    const providerId = url.pathname.split("/").at(-1) ?? "";
    const headers = { Cookie: this.cookieHeader(), "X-Service-Request-Id": "returned" };
    const response = await answered(new Request(url, { headers }), "callback", providerId);
    this.keep(url.href, response);
    return { path: this.pathOf(response), outcome: await this.outcome() };
  }

  /** The complete flow after one click. */
  async signIn(providerId: string, login: string, form: Form = {}): Promise<Arrived> {
    return this.comeBack(
      await this.signInAt(await this.addressAtProvider(providerId, form), login),
    );
  }

  private pathOf({ headers, status }: Response): string {
    const location = headers.get("location");
    return location === null ? String(status) : location.replace(publicUrl(), "");
  }

  async outcome(): Promise<SignInOutcome | undefined> {
    const headers = new Headers({ cookie: this.cookieHeader() });
    return (await openCookie("outcome", headers)) as SignInOutcome | undefined;
  }

  /** The session of a tenant that the browser has. */
  async sessionOf(tenant: string): Promise<string | undefined> {
    const sealed = this.cookies(publicUrl()).get(portalCookieName()) ?? "";
    return (await openSessions(sealed)).get(tenant);
  }
}
