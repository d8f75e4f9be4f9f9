import { roleNames } from "@/app/(portal)/portal-view";
import { userPage } from "@/app/(portal)/t/[tenant]/users/[id]/user-page";
import { userTitle } from "@/app/(portal)/t/[tenant]/users/[id]/user-title";
import { msg } from "@/components/texts/t";
import { UserDetails } from "@/components/users/user-details";

export const generateMetadata = userTitle(msg("Users"));

export default async function UserPage(props: PageProps<"/t/[tenant]/users/[id]">) {
  return userPage("profile", props, ({ user, tenant, site }) => (
    <UserDetails user={user} tenant={tenant} roleNames={roleNames()} site={site} />
  ));
}
