import type { QueryClient } from "@tanstack/react-query";
import { addressOfSignOut } from "@/components/connections/provider-call";
import { forgetAllDrafts } from "@/components/ui/device-storage";

const tasks = new Set<() => Promise<void>>();

/** Adds a task that needs the session; adding it again has no effect. */
export const beforeSignOut = (task: () => Promise<void>): unknown => tasks.add(task);

/** Ends the sessions on the server, clears all data, and leaves the page; for the identity provider if its session shall end too. */
export async function signOut(queries: QueryClient, providerId?: string): Promise<void> {
  await Promise.all([...tasks].map((task) => task()));
  // Pending queries would fail with 401 and ask the user to sign in again.
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
