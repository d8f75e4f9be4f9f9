import type { Metadata } from "next";
import { roleNames } from "@/app/(portal)/portal-view";
import { userPage } from "@/app/(portal)/t/[tenant]/users/[id]/user-page";
import { UserDetails } from "@/components/users/user-details";

export const metadata: Metadata = { title: "User" };

export default async function UserPage(props: PageProps<"/t/[tenant]/users/[id]">) {
  return userPage("profile", props, ({ user, tenant }) => <UserDetails user={user} tenant={tenant} roleNames={roleNames()} />);
}
