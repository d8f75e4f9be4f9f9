import type { ReactNode } from "react";
import { rich } from "@/components/texts/rich";
import { t, translated } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { buttonLook } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";

interface AccessDeniedProps {
  detail: string;
  permission: string | undefined;
  /** Names of the roles that give the permission. */
  roles: string[];
  home: string;
  /** A form to request it. */
  children?: ReactNode;
}

/** The page for a reader without its permission: names the permission and who can grant it. */
export function AccessDenied({ detail, permission, roles, home, children }: AccessDeniedProps) {
  return (
    <div className="mx-auto max-w-xl py-12">
      <PageHeader
        title={t("You don't have access to this page")}
        lead={permission ? undefined : translated(detail)}
      />
      {permission ? (
        <div className="flex flex-col gap-3 rounded-card border border-border p-4">
          <p>
            {rich(
              "It needs the permission {permission}. A tenant administrator can give you one of these roles:",
              { permission: <code className="text-meta">{permission}</code> },
            )}
          </p>
          <ul className="flex flex-wrap gap-1.5">
            {roles.map((role) => (
              <li key={role}>
                <Badge>{role}</Badge>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {children}
      <p className="mt-6">
        <Link href={home} className={buttonLook("secondary")}>
          {t("Go to home")}
        </Link>
      </p>
    </div>
  );
}
