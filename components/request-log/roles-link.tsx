"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { buttonLook } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

/** Leads those who may change roles to the caller's. */
export function RolesLink({ userId }: { userId: string }) {
  const { view } = usePortal();
  if (!view.permissions.includes("user.manage")) return null;
  return (
    <Link
      href={`/t/${view.tenant}/users/${userId}/access`}
      className={buttonLook("primary", "small")}
    >
      {t("Change roles")}
    </Link>
  );
}
