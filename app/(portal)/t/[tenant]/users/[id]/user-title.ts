import type { Metadata } from "next";
import { one } from "@/app/(portal)/portal-page";
import { type Message, t } from "@/components/texts/t";
import { findPortalCaller } from "@/lib/features/portal/portal";
import { getUser } from "@/lib/features/users/service";
import { isRejection } from "@/lib/protocol/errors";

interface Address {
  params: Promise<{ tenant: string; id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The page title with the user's name, which distinguishes two tabs; only the page's name if the caller may not see the user. */
export function userTitle(name: Message) {
  return async ({ params, searchParams }: Address): Promise<Metadata> => {
    const { tenant, id } = await params;
    try {
      const caller = await findPortalCaller({
        tenant,
        permission: "user.read",
        site: one((await searchParams).site),
      });
      return { title: `${(await getUser(caller, id)).name} · ${t(name)}` };
    } catch (error) {
      if (!isRejection(error)) throw error;
      return { title: t(name) };
    }
  };
}
