import { redirect } from "next/navigation";
import type { Caller } from "@/lib/access/caller";
import { answerPageWith, findPortalCaller, portalTenants } from "@/lib/features/portal/portal";
import { isRejection } from "@/lib/protocol/errors";

/** The caller of the browser's system-user session; undefined without one: the page is a 403. Redirects to sign-in without any session. */
export async function platformCaller(path: string): Promise<Caller | undefined> {
  const callers: Caller[] = [];
  for (const tenant of await portalTenants()) {
    try {
      callers.push(await findPortalCaller({ tenant }));
    } catch (error) {
      if (!isRejection(error)) throw error;
    }
  }
  if (callers.length === 0) redirect(`/sign-in?next=${encodeURIComponent(path)}`);
  const found = callers.find(({ isSystem }) => isSystem);
  if (!found) await answerPageWith(403);
  return found;
}
