import { firstPage } from "@/app/(portal)/first-page";
import { userPage } from "@/app/(portal)/t/[tenant]/users/[id]/user-page";
import { userTitle } from "@/app/(portal)/t/[tenant]/users/[id]/user-title";
import { firstKeys } from "@/components/api-keys/key-filters";
import { keyKeys } from "@/components/api-keys/query-keys";
import { UserKeys } from "@/components/api-keys/user-keys";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import { listManagedKeys } from "@/lib/features/api-keys/admin-list";
import * as contract from "@/lib/features/api-keys/managing-contract";

export const generateMetadata = userTitle(msg("API keys"));

export default async function UserKeysPage(props: PageProps<"/t/[tenant]/users/[id]/api-keys">) {
  return userPage("api-keys", props, async ({ caller, tenant, user: { id, name, kind } }) => {
    const asked = firstKeys("all", id);
    const found = await firstPage(caller, contract.listManagedKeys, listManagedKeys, asked);
    return (
      <Seed queryKey={keyKeys.managedList(tenant, id, "all")} data={found}>
        <UserKeys user={{ id, name, kind }} />
      </Seed>
    );
  });
}
