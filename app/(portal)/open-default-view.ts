import { redirect } from "next/navigation";
import type { Caller } from "@/lib/access/caller";
import { findDefaultQuery } from "@/lib/features/views/service";
import type { ViewPage } from "@/lib/features/views/values";

interface Asked {
  page: ViewPage;
  /** The page's own address, without its query. */
  path: string;
  query: Record<string, string | string[] | undefined>;
}

/** Redirects to the person's default view of a list page if the address has no parameters other than a site. */
export async function openDefaultView(caller: Caller, { page, path, query }: Asked): Promise<void> {
  if (Object.keys(query).some((name) => name !== "site")) return;
  const kept = await findDefaultQuery(caller, page);
  if (!kept) return;
  const wanted = new URLSearchParams(kept);
  if (typeof query.site === "string") wanted.set("site", query.site);
  // Otherwise the page would redirect to itself.
  if ([...wanted.keys()].some((name) => name !== "site")) redirect(`${path}?${wanted}`);
}
