"use client";

import { type ReactNode, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Checkbox } from "@/components/ui/form/field";
import { type CallableOperation, type Limits, permissionChoices } from "./key-rights";
import type { UsageLimits } from "./usage-limits";

interface LimitFieldsProps {
  callable: CallableOperation[];
  limits: Limits & UsageLimits;
  onChange: (limits: Limits) => void;
  /** Further fields that limit the key. */
  children: ReactNode;
}

/** The user's rights that the key is limited to; nothing ticked means all of them. */
export function LimitFields({ callable, limits, onChange, children }: LimitFieldsProps) {
  const { view } = usePortal();
  const [wasLimited] = useState(
    limits.permissions.length + limits.sites.length > 0 ||
      limits.requests !== "" ||
      limits.addresses !== "",
  );
  const permissions = permissionChoices(callable);
  const choices = (legend: string, kind: keyof Limits, options: string[]) => (
    <Choices
      legend={legend}
      options={options}
      ticked={limits[kind]}
      onChange={(ticked) => onChange({ ...limits, [kind]: ticked })}
    />
  );
  return (
    <details
      className="rounded-control border border-border bg-surface text-body"
      open={wasLimited}
    >
      <summary className="rounded-control px-3 py-2">
        {t("Limit what the key allows, how often and from where")}
      </summary>
      <div className="grid gap-4 border-t border-border px-3 py-2 sm:grid-cols-2">
        {permissions.length > 0 ? choices(t("Permissions"), "permissions", permissions) : null}
        {view.sites.length > 0 ? choices(t("Sites"), "sites", view.sites) : null}
        {children}
      </div>
    </details>
  );
}

interface ChoicesProps {
  legend: string;
  options: string[];
  ticked: string[];
  onChange: (ticked: string[]) => void;
}

function Choices({ legend, options, ticked, onChange }: ChoicesProps) {
  const set = (option: string, isTicked: boolean) => {
    const others = ticked.filter((one) => one !== option);
    onChange(isTicked ? [...others, option] : others);
  };
  return (
    <fieldset className="flex flex-col">
      <legend className="mb-1 text-meta text-muted">{legend}</legend>
      {options.map((option) => (
        <Checkbox
          key={option}
          checked={ticked.includes(option)}
          onChange={(event) => set(option, event.target.checked)}
          label={option}
        />
      ))}
    </fieldset>
  );
}

/** The properties of a new key that limit it; none when nothing is ticked. */
export function limitsOf({ permissions, sites }: Limits): {
  permissions?: never;
  sites?: string[];
} {
  return {
    ...(permissions.length > 0 && { permissions: permissions as never }),
    ...(sites.length > 0 && { sites }),
  };
}
