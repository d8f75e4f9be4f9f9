import type { Metadata } from "next";
import { userPage } from "@/app/(portal)/t/[tenant]/users/[id]/user-page";
import { UserActivity } from "@/components/users/activity-list";

export const metadata: Metadata = { title: "Activity" };

export default async function UserActivityPage(props: PageProps<"/t/[tenant]/users/[id]/activity">) {
  return userPage("activity", props, ({ user }) => <UserActivity userId={user.id} name={user.name} />);
}
