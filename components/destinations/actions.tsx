"use client";

import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { useAction } from "@/components/ui/form/use-action";
import { deleteShown } from "@/components/ui/gone";
import { notify } from "@/components/ui/toast";
import type { DeliveryAttempt } from "@/lib/protocol/documents/delivery";
import { RotateDialog, type Rotation } from "./rotate-dialog";

interface DestinationActionsProps {
  destination: { id: string; status: "enabled" | "disabled" };
  operations: {
    test: () => Promise<{ delivered: boolean; attempt: DeliveryAttempt }>;
    enable: () => Promise<unknown>;
    disable: () => Promise<unknown>;
    remove: () => Promise<unknown>;
    /** Absent when deliveries are not signed. */
    rotate?: ((asked: Rotation) => Promise<{ secret: string }>) | undefined;
  };
  /** The keys of the destination and the list in the query cache. */
  keys: { all: QueryKey; list: QueryKey };
  /** The messages about a test. */
  tested: (delivered: boolean, attempt: DeliveryAttempt) => string;
  removal: Omit<DeleteDialogProps, "id" | "listKey" | "remove" | "onClose">;
  /** Further actions. */
  children?: ReactNode;
}

/** The actions available for a webhook or an audit stream. */
export function DestinationActions(props: DestinationActionsProps) {
  const { destination, operations, keys, tested, removal, children } = props;
  const queries = useQueryClient();
  const [opened, setOpened] = useState<"rotate" | "delete">();
  const close = () => setOpened(undefined);
  const reload = () => queries.invalidateQueries({ queryKey: keys.all });
  const test = useAction(async () => {
    const { delivered, attempt } = await operations.test();
    void notify(tested(delivered, attempt));
  });
  const isEnabled = destination.status === "enabled";
  const pause = useAction(async () => {
    await (isEnabled ? operations.disable() : operations.enable());
    await reload();
  });
  const { rotate, remove } = operations;
  return (
    <div className="flex flex-wrap gap-2">
      <Button busy={test.busy} onClick={() => void test.run()}>
        {t("Send test")}
      </Button>
      <Button busy={pause.busy} onClick={() => void pause.run()}>
        {isEnabled ? t("Disable") : t("Enable")}
      </Button>
      {children}
      {rotate ? <Button onClick={() => setOpened("rotate")}>{t("Rotate secret")}</Button> : null}
      <Button tone="danger" onClick={() => setOpened("delete")}>
        {t("Delete")}
      </Button>
      {opened === "rotate" && rotate ? (
        <RotateDialog rotate={rotate} onDone={() => void reload()} onClose={close} />
      ) : null}
      {opened === "delete" ? (
        <DeleteDialog
          {...removal}
          id={destination.id}
          listKey={keys.list}
          remove={remove}
          onClose={close}
        />
      ) : null}
    </div>
  );
}

interface DeleteDialogProps {
  id: string;
  listKey: QueryKey;
  remove: () => Promise<unknown>;
  onClose: () => void;
  /** Verb and object, for the heading and the button. */
  title: string;
  keep: string;
  failed: string;
  done: string;
  /** The page of the list, which is shown afterwards. */
  path: string;
  /** The consequence of the deletion. */
  loss: string;
}

function DeleteDialog(props: DeleteDialogProps) {
  const { id, listKey, remove, onClose, title, keep, failed, done, path, loss } = props;
  const queries = useQueryClient();
  const router = useRouter();
  const confirm = async () => {
    await deleteShown(queries, id, remove);
    router.push(path);
    void queries.invalidateQueries({ queryKey: listKey });
    void notify(done);
  };
  return (
    <ActionDialog
      title={title}
      confirm={title}
      keep={keep}
      danger
      failed={failed}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p className="wrap-anywhere text-control">{loss}</p>
    </ActionDialog>
  );
}
