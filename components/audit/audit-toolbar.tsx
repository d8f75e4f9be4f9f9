"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { downloadText } from "@/components/ui/download-text";
import { errorText } from "@/components/ui/error-notice";
import { FilterForm } from "@/components/ui/form/filter-form";
import { type StatusChip, StatusChips } from "@/components/ui/table/status-chips";
import { notify } from "@/components/ui/toast";
import { ViewsMenu } from "@/components/views/views-menu";
import { type AuditFilters, asAuditQuery } from "./audit-filters";

const fields = [
  { name: "action", label: msg("Action"), placeholder: msg("such as user.*"), type: "text" },
  { name: "actor", label: msg("By"), placeholder: msg("login or id"), type: "text" },
  { name: "target", label: msg("On"), placeholder: msg("id"), type: "text" },
  { name: "requestId", label: msg("Request"), placeholder: msg("request id"), type: "text" },
  { name: "from", label: msg("From day"), placeholder: "", type: "date" },
  { name: "to", label: msg("To day"), placeholder: "", type: "date" },
] as const;

const areas: StatusChip<string>[] = [
  { value: "user.*", label: msg("Users") },
  { value: "session.*", label: msg("Sessions") },
  { value: "api-key.*", label: msg("API keys") },
  { value: "customer.*", label: msg("Customers") },
  { value: "preview.*", label: msg("Previews") },
  { value: "tenant.*", label: msg("Tenant") },
  { value: "webhook.*", label: msg("Webhooks") },
];

interface AuditToolbarProps {
  filters: AuditFilters;
  onChange: (change: Partial<AuditFilters>) => void;
}

export function AuditToolbar({ filters, onChange }: AuditToolbarProps) {
  return (
    <search>
      <StatusChips
        label={t("Area")}
        chips={areas}
        value={filters.action}
        end={<ViewsMenu page="audit" />}
        onChange={(action) => onChange({ action })}
      />
      <FilterForm
        fields={fields.map((field) => ({
          ...field,
          placeholder: field.placeholder && t(field.placeholder),
        }))}
        filters={filters}
        onChange={onChange}
        fieldClass="basis-36"
        className="border-b border-border p-3 print:hidden"
      >
        <div className="flex flex-wrap gap-2 sm:ms-auto">
          <Button type="submit">{t("Apply filters")}</Button>
          <ExportTrail filters={filters} accept="text/csv" extension="csv" />
          <ExportTrail filters={filters} accept="application/x-ndjson" extension="ndjson" />
        </div>
      </FilterForm>
    </search>
  );
}

/** Exports all matching entries, not only those on screen. */
function ExportTrail({
  filters,
  accept,
  extension,
}: {
  filters: AuditFilters;
  accept: string;
  extension: string;
}) {
  const { view, exchangeText } = usePortal();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { text } = await exchangeText("GET /v1/audit/export", {
        accept,
        query: asAuditQuery(filters),
      });
      downloadText(text, `${view.tenant}-audit.${extension}`, accept);
      await notify(t("Matching entries exported"));
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
      {extension.toUpperCase()}
    </Button>
  );
}
