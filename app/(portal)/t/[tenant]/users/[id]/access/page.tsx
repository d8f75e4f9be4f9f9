import { operationFacts } from "@/app/(portal)/portal-view";
import { userPage } from "@/app/(portal)/t/[tenant]/users/[id]/user-page";
import { userTitle } from "@/app/(portal)/t/[tenant]/users/[id]/user-title";
import { Seeds } from "@/components/shell/seed";
import { msg } from "@/components/texts/t";
import { AccessEditor } from "@/components/users/access-editor";
import { permissionScope } from "@/lib/access/caller";
import { listRoles } from "@/lib/features/users/service";
import { accessFor } from "./access-for";

export const generateMetadata = userTitle(msg("Access"));

export default async function UserAccessPage(props: PageProps<"/t/[tenant]/users/[id]/access">) {
  return userPage("access", props, async ({ caller, user, site }) => (
    <Seeds entries={await accessFor(caller, { userId: user.id, site })}>
      <AccessEditor
        userId={user.id}
        user={{ registrationDate: user.registrationDate, kind: user.kind }}
        site={site}
        facts={listRoles()}
        operations={operationFacts()}
        own={caller.roles}
        seesKeys={permissionScope(caller, "api-key.manage") === "tenant"}
      />
    </Seeds>
  ));
}
