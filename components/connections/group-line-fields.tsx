"use client";

import { X } from "lucide-react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Checkbox, Select, TextField } from "@/components/ui/form/field";
import { inOrder } from "@/components/ui/in-order";
import { type GroupLine, givesGuarded } from "./group-lines";

interface LineProps {
  line: GroupLine;
  roleNames: Record<string, string>;
  onChange: (line: GroupLine) => void;
  onRemove: () => void;
}

/** A group and its roles. */
export function GroupLineFields({ line, roleNames, onChange, onRemove }: LineProps) {
  const { group, cells } = line;
  return (
    <fieldset className="flex flex-col gap-3 rounded-card border border-border p-3">
      <legend className="sr-only">{t("Group {group}", { group })}</legend>
      <TextField
        label={t("Name of the group")}
        hint={t("Exactly as the provider writes it, with its capitals")}
        name="group"
        value={group}
        required
        maxLength={256}
        autoComplete="off"
        onChange={(event) => onChange({ ...line, group: event.target.value })}
      />
      <Cells line={line} roleNames={roleNames} onChange={onChange} />
      {givesGuarded(line) ? (
        <Checkbox
          required
          checked={line.grantsAdministration}
          onChange={(event) => onChange({ ...line, grantsAdministration: event.target.checked })}
          label={t("The provider decides by this group who administers the tenant or its users")}
        />
      ) : null}
      <div className="flex flex-wrap justify-between gap-2">
        <Button
          size="small"
          onClick={() =>
            onChange({ ...line, cells: [...cells, { place: "", roleId: "portal.default" }] })
          }
        >
          {t("Add role")}
        </Button>
        <Button size="small" tone="quiet" onClick={onRemove}>
          {t("Remove group")}
        </Button>
      </div>
    </fieldset>
  );
}

function Cells({ line, roleNames, onChange }: Omit<LineProps, "onRemove">) {
  const { group, cells } = line;
  return (
    <ul className="flex flex-col gap-2">
      {inOrder(cells, (cell, index) => (
        <li className="flex flex-wrap items-center gap-2 sm:flex-nowrap">
          <CellFields
            cell={cell}
            group={group}
            roleNames={roleNames}
            onChange={(next) => onChange({ ...line, cells: cells.with(index, next) })}
            onRemove={() => onChange({ ...line, cells: cells.toSpliced(index, 1) })}
          />
        </li>
      ))}
    </ul>
  );
}

type Cell = GroupLine["cells"][number];

interface CellProps {
  cell: Cell;
  group: string;
  roleNames: Record<string, string>;
  onChange: (cell: Cell) => void;
  onRemove: () => void;
}

/** A role and its site. */
function CellFields({ cell, group, roleNames, onChange, onRemove }: CellProps) {
  const { view } = usePortal();
  const places = [...new Set([...view.sites, cell.place])].filter((place) => place !== "");
  return (
    <>
      <Select
        aria-label={t("Role of {group}", { group })}
        className="min-w-0 flex-1 basis-full sm:basis-0"
        value={cell.roleId}
        onChange={(event) => onChange({ ...cell, roleId: event.target.value })}
      >
        {Object.entries(roleNames).map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        aria-label={t("Where {group} has it", { group })}
        className="min-w-0 flex-1"
        value={cell.place}
        onChange={(event) => onChange({ ...cell, place: event.target.value })}
      >
        <option value="">{t("Whole tenant")}</option>
        {places.map((id) => (
          <option key={id} value={id}>
            {t("Site {id}", { id })}
          </option>
        ))}
      </Select>
      <Button
        tone="quiet"
        size="icon"
        aria-label={t("Remove the role {role}", { role: roleNames[cell.roleId] ?? cell.roleId })}
        onClick={onRemove}
      >
        <X aria-hidden="true" className="size-4" />
      </Button>
    </>
  );
}
