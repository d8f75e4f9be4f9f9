import type { Metadata } from "next";
import { PermissionTable } from "@/components/docs/permission-table";
import { PageHeader } from "@/components/ui/page-header";
import { roleMeanings } from "@/lib/access/role-meanings";
import { permissionsOf, roleIds, roles } from "@/lib/access/roles";

export const metadata: Metadata = { title: "Permissions" };

export default function PermissionsDocsPage() {
  const rows = roleIds.map((id) => ({
    id,
    name: roles[id].name,
    group: roles[id].group,
    meaning: roleMeanings[id],
    permissions: [...permissionsOf(id)].sort(),
  }));
  return (
    <>
      <PageHeader
        title="Permissions"
        lead="What each role permits. A role at a site gives the same, limited to that site; manage includes write, write includes read."
      />
      <PermissionTable roles={rows} />
    </>
  );
}
