"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/field";
import { SearchInput } from "@/components/ui/form/search-input";
import { lazyPart } from "@/components/ui/lazy-part";
import { notify } from "@/components/ui/toast";
import { type RoleFacts, type Wishes, wholeTenant } from "./access-changes";
import { wishesToMatch } from "./access-effect";
import type { TenantRoles } from "./role-list";

const CopyRolesDialog = lazyPart(() =>
  import("./copy-roles-dialog").then((module) => module.CopyRolesDialog),
);

export interface RoleFilter {
  search: string;
  isGrantedOnly: boolean;
}

interface AccessToolbarProps {
  userId: string;
  site: string | undefined;
  facts: RoleFacts[];
  base: TenantRoles;
  mayChange: (place: string, roleId: string) => boolean;
  filter: RoleFilter;
  /** The number of roles that match the filter. */
  shown: number;
  onFilter: (filter: RoleFilter) => void;
  onWishes: (wishes: Wishes) => void;
}

/** Finds roles, and copies those of another user. */
export function AccessToolbar({ filter, shown, onFilter, ...props }: AccessToolbarProps) {
  const [isCopying, setIsCopying] = useState(false);
  const { facts } = props;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-border px-4 py-3">
      <SearchInput
        label={t("Search roles")}
        placeholder={t("Search roles, meanings, permissions")}
        value={filter.search}
        onChange={(search) => onFilter({ ...filter, search })}
      />
      <Checkbox
        label={t("Granted only")}
        checked={filter.isGrantedOnly}
        onChange={(event) => onFilter({ ...filter, isGrantedOnly: event.target.checked })}
      />
      <output className="text-meta text-muted">
        {t("{shown} of {count} roles", { shown, count: facts.length })}
      </output>
      <Button className="sm:ms-auto" onClick={() => setIsCopying(true)}>
        {t("Copy roles from…")}
      </Button>
      {isCopying ? <CopyRoles {...props} onClose={() => setIsCopying(false)} /> : null}
    </div>
  );
}

type CopyRolesProps = Omit<AccessToolbarProps, "filter" | "shown" | "onFilter"> & {
  onClose: () => void;
};

function CopyRoles({ userId, site, facts, base, mayChange, onWishes, onClose }: CopyRolesProps) {
  const { view } = usePortal();
  const places = site === undefined ? [wholeTenant, ...view.sites] : [site];
  const copy = (other: TenantRoles, login: string) => {
    const { wishes, skipped } = wishesToMatch(base, other, { places, facts, mayChange });
    onWishes(wishes);
    onClose();
    void notify(
      skipped > 0
        ? t("Roles ticked as {login} has them, {skipped} left out that you may not grant", {
            login,
            skipped,
          })
        : t("Roles ticked as {login} has them", { login }),
    );
  };
  return (
    <CopyRolesDialog
      userId={userId}
      site={site}
      roleNames={Object.fromEntries(facts.map(({ id, name }) => [id, name]))}
      onCopy={copy}
      onClose={onClose}
    />
  );
}
