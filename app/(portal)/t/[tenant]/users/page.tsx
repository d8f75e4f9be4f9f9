import { openDefaultView } from "@/app/(portal)/open-default-view";
import { one, portalPage } from "@/app/(portal)/portal-page";
import { roleNames, siteOnly } from "@/app/(portal)/portal-view";
import { readUserPage } from "@/app/(portal)/t/[tenant]/users/read-user-page";
import { titled } from "@/app/titled";
import { Seed } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import { listKey, readListState } from "@/components/users/list-state";
import { UsersView } from "@/components/users/users-view";
import { permissionScope } from "@/lib/access/caller";

export const generateMetadata = titled(msg("Users"));

export default async function UsersPage({ params, searchParams }: PageProps<"/t/[tenant]/users">) {
  const { tenant } = await params;
  const asked = await searchParams;
  const [path, site, state] = [`/t/${tenant}/users`, one(asked.site), readListState(asked)];
  return portalPage({ tenant, path, permission: "user.read", site }, async (caller) => {
    await openDefaultView(caller, { page: "users", path, query: asked });
    return (
      <Seed queryKey={listKey(tenant, state)} data={await readUserPage(caller, state)}>
        <UsersView
          roleNames={roleNames()}
          mayManage={permissionScope(caller, "user.manage") !== undefined}
          site={siteOnly(caller)}
        />
      </Seed>
    );
  });
}
