"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { TextField } from "@/components/ui/form/field";
import { siteKey } from "./keys";

/** A key from a title: "Winter campaign" becomes "winter-campaign". */
const keyFrom = (title: string) =>
  title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 128);

/** Creates the draft and opens it. */
function useCreatePreview(site: string) {
  const { view, call } = usePortal();
  const router = useRouter();
  const queries = useQueryClient();
  return async (key: string, title: string) => {
    const configuration = { title, enabled: false, stage: "draft" };
    await call("POST /pim/preview", { site, body: { key, configuration } });
    void queries.invalidateQueries({ queryKey: siteKey(view.tenant, site) });
    router.push(`/t/${view.tenant}/sites/${site}/previews/${encodeURIComponent(key)}`);
  };
}

export function NewPreviewDialog({ site, onClose }: { site: string; onClose: () => void }) {
  const [title, setTitle] = useState("");
  const [ownKey, setOwnKey] = useState<string>();
  const key = ownKey ?? keyFrom(title);
  const create = useCreatePreview(site);
  return (
    <ActionDialog
      title={t("Create preview")}
      description={t("Creates a draft for {site}. It is not enabled yet.", { site })}
      confirm={t("Create preview")}
      failed={t("The preview was not created")}
      fields={["/key"]}
      draft={`preview-${site}`}
      onConfirm={() => create(key, title)}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <TextField
            label={t("Title")}
            name="title"
            autoFocus
            required
            maxLength={200}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
          <TextField
            label={t("Key")}
            name="key"
            error={errors["/key"]}
            hint={t("Identifies the preview in the API. It cannot be changed later.")}
            required
            maxLength={128}
            className="font-mono"
            value={key}
            onChange={(event) => setOwnKey(event.target.value)}
          />
        </>
      )}
    </ActionDialog>
  );
}
