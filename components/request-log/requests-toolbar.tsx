"use client";

import { msg, t } from "@/components/texts/t";
import { Select } from "@/components/ui/form/field";
import { FilterForm } from "@/components/ui/form/filter-form";
import { SearchInput } from "@/components/ui/form/search-input";
import { type StatusChip, StatusChips } from "@/components/ui/table/status-chips";
import { ViewsMenu } from "@/components/views/views-menu";
import type { RequestFilters } from "./requests-path";

const outcomes: StatusChip<string>[] = [
  { value: "", label: msg("Failed"), tone: "warning" },
  { value: "client-error", label: msg("Rejected (4xx)"), tone: "warning" },
  { value: "server-error", label: msg("Server errors (5xx)"), tone: "danger" },
  { value: "succeeded", label: msg("Succeeded (sample)"), tone: "success" },
  { value: "all", label: msg("Any outcome") },
];

const statuses = ["200", "201", "204", "400", "401", "403", "404", "409", "429", "500", "503"];

const fields = [
  { name: "operation", label: msg("Operation"), placeholder: "GET /v1/user/list" },
  { name: "apiKey", label: msg("API key"), placeholder: "key_..." },
  { name: "user", label: msg("User"), placeholder: "user_..." },
  { name: "site", label: msg("Site"), placeholder: "eu-store" },
  { name: "address", label: msg("From address"), placeholder: "192.0.2.1" },
  { name: "from", label: msg("From"), placeholder: "2026-11-22T09:00:00Z" },
  { name: "to", label: msg("Until"), placeholder: "2026-11-22T10:00:00Z" },
] as const;

interface ToolbarProps {
  filters: RequestFilters;
  onChange: (change: Partial<RequestFilters>) => void;
}

export function RequestsToolbar({ filters, onChange }: ToolbarProps) {
  const isNarrowed = fields.some(({ name }) => filters[name] !== "");
  return (
    <search>
      <StatusChips
        label={t("Outcome")}
        chips={outcomes}
        value={filters.outcome}
        end={<ViewsMenu page="requests" />}
        onChange={(outcome) => onChange({ outcome, status: "" })}
      />
      <div className="flex flex-col gap-2 border-b border-border p-3 print:hidden">
        <div className="flex flex-wrap items-center gap-2">
          <SearchInput
            label={t("Find a request by its id")}
            placeholder={t("Request id")}
            value={filters.requestId}
            onChange={(text) => onChange({ requestId: text.trim(), outcome: text.trim() && "all" })}
          />
          <Select
            aria-label={t("Status")}
            value={filters.status}
            onChange={(event) =>
              onChange({ status: event.target.value, outcome: event.target.value && "all" })
            }
          >
            <option value="">{t("Any status")}</option>
            {statuses.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </Select>
        </div>
        <details key={String(isNarrowed)} open={isNarrowed}>
          <summary className="w-fit cursor-pointer rounded-control text-body text-muted">
            {t("More filters")}
          </summary>
          <FilterForm
            fields={fields}
            filters={filters}
            onChange={onChange}
            fieldClass="basis-44"
            className="mt-2"
          />
        </details>
      </div>
    </search>
  );
}
