"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t, translated } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { useAction } from "@/components/ui/form/use-action";
import { Loaded } from "@/components/ui/loaded";
import type { Connection } from "@/lib/features/connections/contract";
import type { GroupRolesPreview } from "@/lib/features/connections/group-contract";
import { maxGroupRoles } from "@/lib/features/connections/values";
import { GroupLineFields } from "./group-line-fields";
import { fromLine, type GroupLine, newLine, toLine } from "./group-lines";
import { GroupPreview } from "./group-preview";
import { connectionKeys } from "./query-keys";

interface GroupRolesDialogProps {
  connection: Connection;
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}

/** The roles that the groups of a provider grant. Shows who gains and loses which roles before it is saved. */
export function GroupRolesDialog(props: GroupRolesDialogProps) {
  const { view, call } = usePortal();
  const { name } = props.connection;
  const roles = useQuery({
    queryKey: connectionKeys.roles(view.tenant),
    queryFn: ({ signal }) => call("GET /v1/user/roles", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog
      open
      onOpenChange={props.onClose}
      title={t("Roles by groups of {name}", { name })}
      description={t(
        "Members have these roles as long as they are in the group. Roles that were granted by hand stay.",
      )}
      wide
    >
      <Loaded found={roles} failed={t("The roles could not be loaded")} skeleton="h-40">
        {(found) => (
          <Lines
            {...props}
            roleNames={Object.fromEntries(found.map((role) => [role.id, translated(role.name)]))}
          />
        )}
      </Loaded>
    </Dialog>
  );
}

type RoleNames = Record<string, string>;

/** The list being edited, and its preview. */
function useGroupLines({ connection, onChanged, onClose }: GroupRolesDialogProps) {
  const { call } = usePortal();
  const [lines, setLines] = useState<GroupLine[]>(() => connection.groupRoles.map(toLine));
  const [preview, setPreview] = useState<GroupRolesPreview>();
  const change = (next: GroupLine[]) => {
    setPreview(undefined);
    setLines(next);
  };
  const action = useAction(async () => {
    const asked = {
      params: { id: connection.id },
      body: { groupRoles: lines.map(fromLine) as never },
    };
    if (!preview)
      return setPreview(await call("POST /v1/tenant/connections/{id}/group-roles/preview", asked));
    await call("PATCH /v1/tenant/connections/{id}", asked);
    await onChanged();
    onClose();
  });
  return { lines, change, preview, ...action };
}

function Lines({ roleNames, ...props }: GroupRolesDialogProps & { roleNames: RoleNames }) {
  const { lines, change, preview, busy, error, form } = useGroupLines(props);
  return (
    <form method="post" {...form} className="flex flex-col gap-4">
      {lines.map((line, index) => (
        <GroupLineFields
          key={line.id}
          line={line}
          roleNames={roleNames}
          onChange={(next) => change(lines.with(index, next))}
          onRemove={() => change(lines.toSpliced(index, 1))}
        />
      ))}
      <div>
        <Button
          disabled={lines.length >= maxGroupRoles}
          onClick={() => change([...lines, newLine()])}
        >
          {t("Add group")}
        </Button>
      </div>
      {preview ? <GroupPreview preview={preview} roleNames={roleNames} /> : null}
      {error ? <CallFailed title={t("The groups were not saved")} error={error} /> : null}
      <DialogActions>
        <Button onClick={props.onClose}>{t("Cancel")}</Button>
        <Button type="submit" tone="primary" busy={busy}>
          {preview ? t("Save groups") : t("Show who gains and loses what")}
        </Button>
      </DialogActions>
    </form>
  );
}
