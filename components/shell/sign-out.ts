import type { QueryClient } from "@tanstack/react-query";
import { addressOfSignOut } from "@/components/connections/provider-call";
import { forgetAllDrafts } from "@/components/ui/device-storage";

const tasks = new Set<() => Promise<void>>();

/** Adds what needs the session; once, however often it is added. */
export const beforeSignOut = (task: () => Promise<void>): unknown => tasks.add(task);

/** Ends the sessions in the store, forgets all data, and leaves; to the identity provider, where that is to end its session too. */
export async function signOut(queries: QueryClient, providerId?: string): Promise<void> {
  await Promise.all([...tasks].map((task) => task()));
  // What the page still reads would be answered 401 by then, and ask the person to sign in again.
  await queries.cancelQueries();
  const address = providerId === undefined ? "/sign-in" : await addressOfSignOut(providerId);
  const { csrfToken } = (await (await fetch("/api/auth/csrf")).json()) as { csrfToken: string };
  await fetch("/api/auth/signout", {
    method: "POST",
    body: new URLSearchParams({ csrfToken, json: "true", callbackUrl: "/sign-in" }),
  });
  queries.clear();
  forgetAllDrafts();
  window.location.assign(address);
}
