"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { Checkbox, TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";
import type { SavedView } from "@/lib/features/views/contract";
import { chartPage, maxViewName, type ViewPage } from "@/lib/features/views/values";
import type { Views } from "./current-view";

export type ViewDialogKind = "save" | "rename" | "delete";

interface ViewDialogsProps {
  kind: ViewDialogKind;
  page: ViewPage;
  views: Views;
  onClose: () => void;
}

/** The dialogs of the views menu. */
export function ViewDialogs({ kind, page, views, onClose }: ViewDialogsProps) {
  const { shown } = views;
  if (kind === "save") return <SaveView page={page} views={views} onClose={onClose} />;
  if (!shown) return null;
  const Change = kind === "rename" ? RenameView : DeleteView;
  return <Change view={shown} views={views} onClose={onClose} />;
}

const name = (value: string, error: string | undefined) => (
  <TextField
    label={t("Name")}
    name="name"
    autoFocus
    required
    maxLength={maxViewName}
    defaultValue={value}
    error={error}
  />
);

function SaveView({ page, views, onClose }: Omit<ViewDialogsProps, "kind">) {
  const { call } = usePortal();
  const save = async (form: FormData) => {
    const body = {
      page,
      query: views.query,
      name: textOf(form, "name"),
      shared: form.has("shared"),
      default: form.has("default"),
      home: form.has("home"),
    };
    const { id } = await call("POST /v1/views", { body });
    await views.reload();
    views.note(id);
    void notify(t('View "{name}" saved', { name: body.name }));
  };
  const isChart = page === chartPage;
  const keeps = isChart
    ? t("Keeps the range, grouping and filters, and how they are drawn.")
    : t("Keeps the filters, order and columns of this list.");
  return (
    <ActionDialog
      title={t("Save as view")}
      description={keeps}
      confirm={t("Save view")}
      failed={t("The view was not saved")}
      fields={["/name"]}
      onConfirm={save}
      onClose={onClose}
    >
      {(errors) => (
        <>
          {name("", errors["/name"])}
          {isChart ? <Checkbox name="home" defaultChecked label={t("Show it on Home")} /> : null}
          <Checkbox name="shared" label={t("Share it with everyone who may open this page")} />
          <Checkbox name="default" label={t("Open this page with it")} />
        </>
      )}
    </ActionDialog>
  );
}

interface ChangeProps {
  view: SavedView;
  views: Views;
  onClose: () => void;
}

function RenameView({ view, views, onClose }: ChangeProps) {
  const { call } = usePortal();
  const rename = async (form: FormData) => {
    const body = { name: textOf(form, "name") };
    await call("PATCH /v1/views/{id}", { params: { id: view.id }, body });
    await views.reload();
  };
  return (
    <ActionDialog
      title={t("Rename view")}
      confirm={t("Rename view")}
      failed={t("The view was not renamed")}
      fields={["/name"]}
      onConfirm={rename}
      onClose={onClose}
    >
      {(errors) => name(view.name, errors["/name"])}
    </ActionDialog>
  );
}

function DeleteView({ view, views, onClose }: ChangeProps) {
  const { call } = usePortal();
  const remove = async () => {
    await call("DELETE /v1/views/{id}", { params: { id: view.id } });
    await views.reload();
    void notify(t('View "{name}" deleted', { name: view.name }));
  };
  return (
    <ActionDialog
      title={t('Delete view "{name}"', { name: view.name })}
      description={
        view.shared
          ? t("Everyone in this tenant loses the view. The page stays as it is.")
          : t("The page stays as it is.")
      }
      confirm={t("Delete view")}
      danger
      failed={t("The view was not deleted")}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
