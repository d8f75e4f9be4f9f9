"use client";

import { usePortal } from "@/components/shell/portal";
import { Checkbox } from "@/components/ui/checkbox";
import type { CallableOperation } from "./what-it-can-call";

/** What of one's own rights the key is made for; nothing ticked means all of them. */
export function LimitFields({ callable }: { callable: CallableOperation[] }) {
  const { view } = usePortal();
  const permissions = [
    ...new Set(callable.flatMap(({ allowed, permission }) => (allowed && permission && permission !== "any-role" ? [permission] : []))),
  ];
  if (permissions.length === 0) return null;
  return (
    <details className="rounded-control border border-border bg-surface text-body">
      <summary className="rounded-control px-3 py-2">Limit the key to some permissions or sites</summary>
      <div className="grid gap-4 border-t border-border px-3 py-2 sm:grid-cols-2">
        <Choices legend="Permissions" name="permissions" options={permissions.sort()} />
        {view.sites.length > 0 ? <Choices legend="Sites" name="sites" options={view.sites} /> : null}
      </div>
    </details>
  );
}

function Choices({ legend, name, options }: { legend: string; name: string; options: string[] }) {
  return (
    <fieldset className="flex flex-col">
      <legend className="mb-1 text-meta text-muted">{legend}</legend>
      {options.map((option) => (
        <Checkbox key={option} name={name} value={option} label={option} />
      ))}
    </fieldset>
  );
}

/** The members of a new key that limit it; none where nothing is ticked. */
export function limitsOf(form: FormData): { permissions?: never; sites?: string[] } {
  const ticked = (name: string) => form.getAll(name).map(String);
  const [permissions, sites] = [ticked("permissions"), ticked("sites")];
  return { ...(permissions.length > 0 && { permissions: permissions as never }), ...(sites.length > 0 && { sites }) };
}
