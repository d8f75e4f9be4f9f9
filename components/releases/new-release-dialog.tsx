"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { siteKey } from "@/components/previews/keys";
import { usePreviewList } from "@/components/previews/preview-queries";
import { stageName } from "@/components/previews/preview-state";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { Checkbox, Field, Select, TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import { Loaded } from "@/components/ui/loaded";
import { notify } from "@/components/ui/toast";
import type { Preview } from "@/lib/features/previews/contract";
import { maxReleaseEntries } from "@/lib/features/previews/values";
import { DueField, dueIn } from "./due-field";

type Stage = NonNullable<Preview["stage"]>;

function useCreateRelease(site: string) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  return async (name: string, chosen: Preview[], stage: Stage, due: string) => {
    const at = dueIn(due);
    const entries = chosen.map(({ key, version }) => ({ key, version, stage }));
    await call("POST /pim/releases", { site, body: { name, entries, ...(at && { at }) } });
    await queries.invalidateQueries({ queryKey: siteKey(view.tenant, site) });
    void notify(at ? t('"{name}" scheduled', { name }) : t('"{name}" created', { name }));
  };
}

/** Creates a release of the current versions of previews. */
export function NewReleaseDialog({ site, onClose }: { site: string; onClose: () => void }) {
  const found = useQuery(usePreviewList(site));
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const [stage, setStage] = useState<Stage>("live");
  const [due, setDue] = useState("");
  const create = useCreateRelease(site);
  const chosen = (found.data ?? []).filter(({ key }) => keys.has(key));
  return (
    <ActionDialog
      title={t("Create release")}
      description={t("All of its previews get the stage at once, or none of them does.")}
      confirm={due ? t("Schedule release") : t("Create release")}
      failed={t("The release was not created")}
      disabled={chosen.length === 0 || chosen.length > maxReleaseEntries}
      fields={["/name", "/at"]}
      onConfirm={(form) => create(textOf(form, "name"), chosen, stage, due)}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <TextField
            label={t("Name")}
            name="name"
            autoFocus
            required
            maxLength={128}
            error={errors["/name"]}
          />
          <Loaded found={found} failed={t("The previews could not be loaded")} skeleton="h-24">
            {(previews) => <Choice previews={previews} keys={keys} onChange={setKeys} />}
          </Loaded>
          <Field label={t("Stage they get")}>
            {(control) => (
              <Select
                {...control}
                value={stage}
                onChange={(event) => setStage(event.target.value as Stage)}
              >
                <option value="live">{t("Live")}</option>
                <option value="staged">{t("Staged")}</option>
                <option value="draft">{t("Draft")}</option>
              </Select>
            )}
          </Field>
          <DueField value={due} error={errors["/at"]} onChange={setDue} />
        </>
      )}
    </ActionDialog>
  );
}

interface ChoiceProps {
  previews: Preview[];
  keys: ReadonlySet<string>;
  onChange: (keys: ReadonlySet<string>) => void;
}

function Choice({ previews, keys, onChange }: ChoiceProps) {
  const toggle = (key: string) => {
    const next = new Set(keys);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1.5 text-body font-medium">{t("Previews")}</legend>
      <div className="flex max-h-52 flex-col overflow-y-auto rounded-control border border-border-strong px-3 py-2">
        {previews
          .filter(({ archivedAt }) => archivedAt === null)
          .map(({ key, title, stage, version }) => (
            <Checkbox
              key={key}
              checked={keys.has(key)}
              onChange={() => toggle(key)}
              label={
                <span className="wrap-anywhere">
                  {title || key}{" "}
                  <span className="text-muted">
                    {t("{stage}, version {version}", { stage: stageName(stage), version })}
                  </span>
                </span>
              }
            />
          ))}
      </div>
    </fieldset>
  );
}
