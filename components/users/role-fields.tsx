"use client";

import { usePortal } from "@/components/shell/portal";
import { useSiteName } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { Field, Select } from "@/components/ui/form/field";

interface RoleFieldsProps {
  roleNames: Record<string, string>;
  /** The only site where roles may be granted; undefined for the whole tenant. */
  site: string | undefined;
}

/** A role and its place. */
export function RoleFields({ roleNames, site }: RoleFieldsProps) {
  const { view } = usePortal();
  const nameOf = useSiteName();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t("Role")}>
        {(control) => (
          <Select {...control} name="role" defaultValue="portal.default">
            {Object.entries(roleNames).map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t("Where")}>
        {(control) => (
          <Select {...control} name="place" defaultValue={site ?? ""}>
            {site === undefined ? <option value="">{t("Whole tenant")}</option> : null}
            {(site === undefined ? view.sites : [site]).map((id) => (
              <option key={id} value={id}>
                {t("Site {id}", { id: nameOf(id) })}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}
