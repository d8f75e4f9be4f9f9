"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { CallError } from "@/lib/catalogue/client";

/** A key from a title: "Winter campaign" becomes "winter-campaign". */
const keyFrom = (title: string) =>
  title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 128);

export function NewPreviewDialog({ site, onClose }: { site: string; onClose: () => void }) {
  const { view, call } = usePortal();
  const router = useRouter();
  const queries = useQueryClient();
  const [title, setTitle] = useState("");
  const [ownKey, setOwnKey] = useState<string>();
  const key = ownKey ?? keyFrom(title);
  const create = useMutation({
    mutationFn: () =>
      call("POST /pim/preview", {
        site,
        body: { key, configuration: { title, enabled: false, stage: "draft" } },
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: [view.tenant, "previews", site] });
      router.push(`/t/${view.tenant}/sites/${site}/previews/${encodeURIComponent(key)}`);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!create.isPending) create.mutate();
  };
  const atKey =
    create.error instanceof CallError && create.error.reason === "/key"
      ? create.error.message
      : undefined;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Create preview"
      description={`At ${site}, as a draft that is not enabled.`}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Title">
          {(control) => (
            <Input
              {...control}
              autoFocus
              required
              maxLength={200}
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Key"
          error={atKey}
          hint="Programs address it by this key. It cannot be changed later."
        >
          {(control) => (
            <Input
              {...control}
              required
              maxLength={128}
              className="font-mono"
              value={key}
              onChange={(event) => setOwnKey(event.target.value)}
            />
          )}
        </Field>
        {create.error && !atKey ? (
          <CallFailed title="The preview was not created" error={create.error} />
        ) : null}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={create.isPending}>
            Create preview
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
