"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { Field, Input } from "@/components/ui/form/field";
import { useAction } from "@/components/ui/form/use-action";
import { ImportProgress } from "./import-progress";
import { customerKeys } from "./query-keys";
import { uploadCustomers } from "./upload";

interface ImportDialogProps {
  site: string;
  onClose: () => void;
}

/** Imports a file of customers; shows the progress of a running import. */
export function ImportDialog({ site, onClose }: ImportDialogProps) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const [started, setStarted] = useState<string>();
  const { data: newest } = useQuery({
    queryKey: customerKeys.imports(view.tenant, site),
    queryFn: ({ signal }) =>
      call("GET /v1/customers/imports", { site, query: { limit: "1" }, signal }),
    staleTime: 0,
  });
  const open = newest?.find(({ endedAt }) => endedAt === null)?.id;
  const id = started ?? open;
  const close = () => {
    void queries.invalidateQueries({ queryKey: customerKeys.lists(view.tenant, site) });
    void queries.invalidateQueries({ queryKey: customerKeys.imports(view.tenant, site) });
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={close}
      title={t("Import customers")}
      description={t(
        "A file with one JSON object a line: login, and the fields of a profile. It may hold password hashes.",
      )}
      wide
    >
      {id === undefined ? (
        <ChooseFile site={site} onStarted={setStarted} onClose={close} />
      ) : (
        <ImportProgress key={id} site={site} id={id} onClose={close} />
      )}
    </Dialog>
  );
}

interface ChooseFileProps extends ImportDialogProps {
  onStarted: (id: string) => void;
}

function ChooseFile({ site, onStarted, onClose }: ChooseFileProps) {
  const { view } = usePortal();
  const { busy, error, form } = useAction(async (values) => {
    const file = values.get("file");
    if (!(file instanceof File)) return;
    onStarted((await uploadCustomers({ tenant: view.tenant, site, file })).id);
  });
  return (
    <form method="post" {...form} className="flex flex-col gap-4">
      <Field
        label={t("File")}
        hint={t("NDJSON, up to 1 GiB. Lines without siteIds belong to this site.")}
      >
        {(control) => (
          <Input
            {...control}
            type="file"
            name="file"
            accept=".ndjson,.jsonl,application/x-ndjson"
            required
            className="h-auto py-1.5"
          />
        )}
      </Field>
      {error ? <CallFailed title={t("The import was not started")} error={error} /> : null}
      <DialogActions>
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button type="submit" tone="primary" busy={busy}>
          {busy ? t("Uploading") : t("Import customers")}
        </Button>
      </DialogActions>
    </form>
  );
}
