"use client";

import { Download, Rows3 } from "lucide-react";
import { useState } from "react";
import { densities, usePreferences } from "@/components/preferences/preferences";
import { usePortal } from "@/components/shell/portal";
import { useSiteName } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { errorText } from "@/components/ui/error-notice";
import { Select } from "@/components/ui/form/field";
import { SearchInput } from "@/components/ui/form/search-input";
import { whenIdle } from "@/components/ui/idle";
import { Menu } from "@/components/ui/menu/menu";
import { createPart } from "@/components/ui/part";
import type { ChosenColumns } from "@/components/ui/table/chosen-columns";
import { ColumnsMenu } from "@/components/ui/table/columns-menu";
import { notify } from "@/components/ui/toast";
import type { ListState } from "./list-state";
import { columnName } from "./users-columns";
import { asQuery } from "./users-query";

const saving = createPart(() => import("./save-users"));
whenIdle(saving.load);

/** Exports all users that match the search and the filters, not only the page on screen. */
function ExportUsers({ state }: { state: ListState }) {
  const { view, call } = usePortal();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { limit: _limit, cursor: _cursor, ...query } = asQuery(state);
      const users = await call("GET /v1/user/list", { site: state.site || undefined, query });
      const { saveUsers } = await saving.arrival();
      await saveUsers(users, view.tenant);
    } catch (error) {
      await notify(t("Export failed. {reason}", { reason: errorText(error) }));
    }
    setBusy(false);
  };
  return (
    <Button
      tone="quiet"
      busy={busy}
      icon={<Download aria-hidden="true" className="size-4" />}
      onClick={() => void save()}
    >
      {t("Export CSV")}
    </Button>
  );
}

interface UsersToolbarProps {
  state: ListState;
  onNarrow: (change: Partial<ListState>) => void;
  roleNames: Record<string, string>;
  columns: ChosenColumns;
}

export function UsersToolbar({ state, onNarrow, roleNames, columns }: UsersToolbarProps) {
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
        <ColumnsMenu columns={columns} nameOf={columnName} />
        <DensityMenu />
        <ExportUsers state={state} />
      </div>
    </search>
  );
}

type FiltersProps = Pick<UsersToolbarProps, "state" | "onNarrow" | "roleNames">;

function Filters({ state, onNarrow, roleNames }: FiltersProps) {
  const { view } = usePortal();
  const nameOf = useSiteName();
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
      {view.onlySite === undefined ? (
        <Select
          aria-label={t("Site")}
          className="max-w-40"
          value={state.site}
          onChange={(event) => onNarrow({ site: event.target.value })}
        >
          <option value="">{t("All sites")}</option>
          {view.sites.map((site) => (
            <option key={site} value={site}>
              {nameOf(site)}
            </option>
          ))}
        </Select>
      ) : null}
    </>
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
