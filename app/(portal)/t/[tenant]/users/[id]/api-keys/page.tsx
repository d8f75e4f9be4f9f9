import { userPage } from "@/app/(portal)/t/[tenant]/users/[id]/user-page";
import { userTitle } from "@/app/(portal)/t/[tenant]/users/[id]/user-title";
import { UserKeys } from "@/components/api-keys/user-keys";
import { msg } from "@/components/texts/t";

export const generateMetadata = userTitle(msg("API keys"));

export default async function UserKeysPage(props: PageProps<"/t/[tenant]/users/[id]/api-keys">) {
  return userPage("api-keys", props, ({ user: { id, name, kind } }) => (
    <UserKeys user={{ id, name, kind }} />
  ));
}
