import { cookies } from "next/headers";
import { portalCookieName } from "@/lib/access/portal-cookie";
import { isRejection } from "@/lib/protocol/errors";
import { isCookieSecure } from "./cookies";

/*
 * The challenge of a sign-in that waits for a code. next-auth carries what a form reads of a rejection in the query of an
 * address, which browsers keep and proxies log: so the challenge goes into a cookie that no script reads.
 *
 * Apart from the other cookies: the server reads those before Next is loaded, and "next/headers" cannot be loaded then.
 */

const livesSeconds = 300;
const cookieName = () => `${portalCookieName()}-challenge`;

/** Keeps the challenge of a rejection that has one, for the code that follows. */
export async function keepChallenge(error: unknown): Promise<void> {
  if (!isRejection(error) || error.code !== "auth.second-factor-required") return;
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure: isCookieSecure() } as const;
  (await cookies()).set(cookieName(), error.reason ?? "", { ...options, maxAge: livesSeconds });
}

/** What this browser keeps; undefined once it has expired or signed in. */
export const keptChallenge = async (): Promise<string | undefined> =>
  (await cookies()).get(cookieName())?.value;

export async function forgetChallenge(): Promise<void> {
  const options = { path: "/", secure: isCookieSecure() };
  (await cookies()).set(cookieName(), "", { ...options, maxAge: 0 });
}
