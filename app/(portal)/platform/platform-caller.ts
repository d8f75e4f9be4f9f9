import { redirect } from "next/navigation";
import type { Caller } from "@/lib/access/caller";
import { answerPageWith, findPortalCaller, portalTenants } from "@/lib/features/portal/portal";
import { isRejection } from "@/lib/protocol/errors";

/** Of the sessions that this browser holds, that of a system user; undefined when there is none, and the page is a 403. Without any it leads to sign-in. */
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
