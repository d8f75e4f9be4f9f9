import { userPage } from "@/app/(portal)/t/[tenant]/users/[id]/user-page";
import { userTitle } from "@/app/(portal)/t/[tenant]/users/[id]/user-title";
import { msg } from "@/components/texts/t";
import { UserActivity } from "@/components/users/activity-list";

export const generateMetadata = userTitle(msg("Activity"));

export default async function UserActivityPage(
  props: PageProps<"/t/[tenant]/users/[id]/activity">,
) {
  return userPage("activity", props, ({ user }) => (
    <UserActivity userId={user.id} name={user.name} />
  ));
}
