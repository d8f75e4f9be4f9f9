import { setTimeout as pause } from "node:timers/promises";

/** The users of the fixtures that are signed in before the tests start. */
export const signedInUsers = ["adm", "um", "um1", "ana", "pim", "care", "low"] as const;

interface Credentials {
  tenant: string;
  login: string;
  password: string;
}

/** Signs in over plain HTTP as the form does, and returns the cookies as a browser's stored state. */
export async function storageStateOf(baseUrl: string, credentials: Credentials) {
  const first = await fetch(`${baseUrl}/api/auth/csrf`);
  const { csrfToken } = (await first.json()) as { csrfToken: string };
  const before = cookiesOf(first);
  const ask = () =>
    fetch(`${baseUrl}/api/auth/callback/credentials`, {
      method: "POST",
      headers: { cookie: before.map(({ name, value }) => `${name}=${value}`).join("; ") },
      body: new URLSearchParams({ ...credentials, csrfToken, json: "true", callbackUrl: baseUrl }),
    });
  let answer = await ask();
  // While many passwords are checked, the response asks to retry the sign-in after two seconds.
  while ((await answer.clone().text()).includes("auth.busy")) {
    await pause(2000);
    answer = await ask();
  }
  if (answer.status !== 200)
    throw new Error(`${credentials.login} cannot sign in: ${await answer.text()}`);
  const place = {
    domain: "localhost",
    path: "/",
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: "Lax" as const,
  };
  return {
    cookies: [
      ...[...before, ...cookiesOf(answer)].map((cookie) => ({ ...cookie, ...place })),
      // The zone of all browsers in the tests, which the sign-in page would set.
      { ...place, name: "gatehouse-zone", value: "Europe%2FBerlin", httpOnly: false },
    ],
    origins: [],
  };
}

function cookiesOf(response: Response): { name: string; value: string }[] {
  return response.headers.getSetCookie().map((line) => {
    const [pair = ""] = line.split(";");
    const equals = pair.indexOf("=");
    return { name: pair.slice(0, equals), value: pair.slice(equals + 1) };
  });
}
