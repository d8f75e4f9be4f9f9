import type { QueryClient } from "@tanstack/react-query";
import { forgetAllDrafts } from "@/components/ui/forget-drafts";
import { runSignOutTasks } from "@/components/ui/sign-out-tasks";

/** Ends the sessions in the store, forgets all data, and leaves. */
export async function signOut(queries: QueryClient): Promise<void> {
  await runSignOutTasks();
  const { csrfToken } = (await (await fetch("/api/auth/csrf")).json()) as { csrfToken: string };
  await fetch("/api/auth/signout", {
    method: "POST",
    body: new URLSearchParams({ csrfToken, json: "true", callbackUrl: "/sign-in" }),
  });
  queries.clear();
  forgetAllDrafts();
  window.location.assign("/sign-in");
}
