import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { one, portalPage } from "@/app/(portal)/portal-page";
import { roleNames } from "@/app/(portal)/portal-view";
import { UserDetails } from "@/components/users/user-details";
import { ApiError } from "@/lib/api/errors";
import { getUser } from "@/lib/users/service";

export const metadata: Metadata = { title: "User" };

export default async function UserPage({ params, searchParams }: PageProps<"/t/[tenant]/users/[id]">) {
  const { tenant, id } = await params;
  const site = one((await searchParams).site);
  return portalPage({ tenant, path: `/t/${tenant}/users/${id}`, permission: "user.read", site }, async (caller) => {
    const user = await getUser(caller, id).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "user.not-found") notFound();
      throw error;
    });
    return <UserDetails user={user} tenant={tenant} roleNames={roleNames()} isSelf={user.id === caller.userId} />;
  });
}
