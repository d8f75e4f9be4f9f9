"use client";

import { Columns3, Rows3 } from "lucide-react";
import { densities, usePreferences } from "@/components/preferences/preferences";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Menu } from "@/components/ui/menu";
import { SearchInput } from "@/components/ui/search-input";
import { Select } from "@/components/ui/select";
import { ExportUsers } from "./export-users";
import type { ListState } from "./list-state";
import { columnNames } from "./users-columns";

interface UsersToolbarProps {
  state: ListState;
  onNarrow: (change: Partial<ListState>) => void;
  roleNames: Record<string, string>;
  hidden: string[];
  onHide: (columns: string[]) => void;
}

export function UsersToolbar({ state, onNarrow, roleNames, hidden, onHide }: UsersToolbarProps) {
  return (
    <search className="flex flex-wrap items-center gap-2 border-b border-border p-3 print:hidden">
      <SearchInput
        label={t("Search users")}
        placeholder={t("Name, login or e-mail")}
        value={state.q}
        onChange={(q) => onNarrow({ q })}
      />
      <Filters state={state} onNarrow={onNarrow} roleNames={roleNames} />
      <div className="flex flex-wrap gap-2 max-sm:-ms-3 sm:ms-auto">
        <ColumnsMenu hidden={hidden} onHide={onHide} />
        <DensityMenu />
        <ExportUsers state={state} />
      </div>
    </search>
  );
}

type FiltersProps = Pick<UsersToolbarProps, "state" | "onNarrow" | "roleNames">;

function Filters({ state, onNarrow, roleNames }: FiltersProps) {
  const { view } = usePortal();
  return (
    <>
      <Select
        aria-label={t("Role")}
        className="max-w-52"
        value={state.role}
        onChange={(event) => onNarrow({ role: event.target.value })}
      >
        <option value="">{t("Any role")}</option>
        {Object.entries(roleNames).map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        aria-label={t("Site")}
        className="max-w-40"
        value={state.site}
        onChange={(event) => onNarrow({ site: event.target.value })}
      >
        <option value="">{t("All sites")}</option>
        {view.sites.map((site) => (
          <option key={site}>{site}</option>
        ))}
      </Select>
    </>
  );
}

function ColumnsMenu({ hidden, onHide }: Pick<UsersToolbarProps, "hidden" | "onHide">) {
  const toggle = (id: string) =>
    onHide(hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id]);
  const items = Object.entries(columnNames)
    .filter(([id]) => id !== "name")
    .map(([key, label]) => ({
      key,
      label: t(label),
      checked: !hidden.includes(key),
      onSelect: () => toggle(key),
    }));
  return (
    <Menu
      tone="quiet"
      icon={<Columns3 aria-hidden="true" className="size-4" />}
      groups={[{ key: "columns", items }]}
    >
      {t("Columns")}
    </Menu>
  );
}

function DensityMenu() {
  const { preferences, change } = usePreferences();
  const items = densities.map(({ value, label }) => ({
    key: value,
    label: t(label),
    chosen: (preferences.density ?? "comfortable") === value,
    onSelect: () => void change({ density: value }),
  }));
  return (
    <Menu
      tone="quiet"
      icon={<Rows3 aria-hidden="true" className="size-4" />}
      groups={[{ key: "density", items }]}
    >
      {t("Density")}
    </Menu>
  );
}
