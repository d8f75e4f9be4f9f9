"use client";

import { plural, t, translated } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import type { LastUse } from "@/lib/catalogue/access-contract";
import { cellOf, type RoleFacts, type Wishes, wholeTenant } from "./access-changes";
import { unusedRoles } from "./access-use";
import type { TenantRoles } from "./role-list";

interface UnusedRolesProps {
  use: LastUse;
  base: TenantRoles;
  wishes: Wishes;
  facts: RoleFacts[];
  user: { registrationDate: string; kind?: "person" | "service" | undefined };
  mayChange: (place: string, roleId: string) => boolean;
  onWishes: (wishes: Wishes) => void;
}

const named = (role: string, place: string) =>
  place === wholeTenant ? role : t("{role} at {place}", { role, place });

/** Suggests to remove roles that were not used for 90 days: it unticks them, and the reader saves. */
export function UnusedRoles({ use, user, mayChange, onWishes, ...edit }: UnusedRolesProps) {
  const unused = unusedRoles(edit, use, user.registrationDate).filter(({ role, place }) =>
    mayChange(place, role.id),
  );
  if (unused.length === 0) return null;
  const names = unused.map(({ role, place }) => named(translated(role.name), place)).join(", ");
  const untick = () => {
    const off = unused.map(({ role, place }) => [cellOf(place, role.id), false] as const);
    onWishes({ ...edit.wishes, ...Object.fromEntries(off) });
  };
  return (
    <section
      aria-label={t("Unused roles")}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-border bg-surface px-4 py-3 text-body"
    >
      <p className="min-w-0 flex-1 basis-72">
        <span className="font-medium">{t("No call used these for 90 days:")}</span> {names}.
        {user.kind === "service" ? null : (
          <span className="text-muted">
            {" "}
            {t("Pages that were only looked at are not counted.")}
          </span>
        )}
      </p>
      <Button onClick={untick}>{plural(unused.length, "Untick it", "Untick them")}</Button>
    </section>
  );
}
