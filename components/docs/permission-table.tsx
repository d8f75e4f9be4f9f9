import { Badge } from "@/components/ui/badge";
import { Cell, Head, Row, Table } from "@/components/ui/table/table";

interface RoleRow {
  id: string;
  name: string;
  group: string;
  /** Its purpose, in a line. */
  meaning: string;
  permissions: string[];
}

export function PermissionTable({ roles }: { roles: RoleRow[] }) {
  return (
    <div className="rounded-card border border-border">
      <Table label="Roles and their permissions" className="[--row:44px]" cards>
        <Head names={["Role", "Group", "Permissions"]} />
        <tbody>
          {roles.map((role) => (
            <Row key={role.id}>
              <Cell wraps className="min-w-56 align-top" card="text">
                <span className="block font-medium">{role.name}</span>
                <span className="block text-meta text-muted">{role.meaning}</span>
                <code className="text-meta text-muted">{role.id}</code>
              </Cell>
              <Cell className="align-top text-muted">{role.group}</Cell>
              <Cell wraps className="min-w-72" card="row">
                <span className="flex flex-wrap gap-1">
                  {role.permissions.length > 0 ? (
                    role.permissions.map((permission) => (
                      <Badge key={permission}>{permission}</Badge>
                    ))
                  ) : (
                    <span className="text-muted">own profile, sessions and API keys</span>
                  )}
                </span>
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
