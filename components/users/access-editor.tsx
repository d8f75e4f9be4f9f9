"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { plural, t, translated } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { keepInTab, readInTab } from "@/components/ui/device-storage";
import { ErrorNotice, errorText } from "@/components/ui/error-notice";
import { Loaded } from "@/components/ui/loaded";
import { notify } from "@/components/ui/toast";
import { CallError } from "@/lib/catalogue/client";
import {
  accessChanges,
  breakingKeys,
  cellOf,
  holdsAt,
  type OperationFacts,
  type RoleFacts,
  type Wishes,
  wholeTenant,
  withWishes,
} from "./access-changes";
import { AccessDifference } from "./access-difference";
import { matchingRoles } from "./access-effect";
import { AccessMatrix } from "./access-matrix";
import { useActiveKeysQuery, useLastUseQuery, useRolesQuery } from "./access-queries";
import { AccessToolbar, type RoleFilter } from "./access-toolbar";
import { GroupRolesCard, useGroupOf } from "./group-roles";
import type { TenantRoles } from "./role-list";
import { UnusedRoles } from "./unused-roles";

/** Unsaved changes of one user's roles, which survive only a reload of this tab. */
function useAccessDraft(tenant: string, userId: string) {
  const name = `access.${tenant}.${userId}`;
  const [wishes, setWishes] = useState<Wishes>({});
  useEffect(() => setWishes((readInTab(name) ?? {}) as Wishes), [name]);
  const keep = (next: Wishes) => {
    setWishes(next);
    keepInTab(name, Object.keys(next).length > 0 ? JSON.stringify(next) : undefined);
  };
  return [wishes, keep] as const;
}

interface AccessEditorProps {
  userId: string;
  user: { registrationDate: string; kind?: "person" | "service" | undefined };
  site: string | undefined;
  facts: RoleFacts[];
  operations: OperationFacts[];
  /** The current user's roles: only their holders or administrators can grant tenant.admin and portal.users.mgmt. */
  own: TenantRoles;
  /** Whether the current user may see the keys of the user, to list those that would break. */
  seesKeys: boolean;
}

const guarded = ["tenant.admin", "portal.users.mgmt"];

function mayChange(
  own: TenantRoles,
  site: string | undefined,
  place: string,
  roleId: string,
): boolean {
  const holds = (id: string) => holdsAt(own, wholeTenant, id) || holdsAt(own, place, id);
  return (
    (site === undefined || place === site) &&
    (!guarded.includes(roleId) || holds(roleId) || holds("tenant.admin"))
  );
}

/** Saves the ticked roles unless another user changed them in the meantime; refetches them in any case. */
function useSaveRoles({ userId, site }: AccessEditorProps) {
  const { call } = usePortal();
  const queries = useQueryClient();
  const router = useRouter();
  const stored = useRolesQuery(userId, site);
  return useMutation({
    mutationFn: ({ body, etag }: { body: TenantRoles; etag: string }) =>
      call("PUT /v1/user/{id}/roles", {
        site,
        params: { id: userId },
        body: body as never,
        etag,
      }),
    onSuccess: () => router.refresh(),
    onSettled: () => queries.invalidateQueries(stored),
  });
}

/** The editor of a user's roles; shows the effect of saving in words. */
export function AccessEditor(props: AccessEditorProps) {
  const roles = useQuery(useRolesQuery(props.userId, props.site));
  return (
    <Loaded found={roles} failed={t("The roles could not be loaded")} skeleton="h-96">
      {(stored) => <LoadedEditor {...props} stored={stored} />}
    </Loaded>
  );
}

interface LoadedEditorProps extends AccessEditorProps {
  stored: { roles: TenantRoles; etag: string };
}

function LoadedEditor({ stored, ...props }: LoadedEditorProps) {
  const { userId, facts, operations, seesKeys } = props;
  const { view } = usePortal();
  const [wishes, keepWishes] = useAccessDraft(view.tenant, userId);
  const keys = useQuery(useActiveKeysQuery(userId, seesKeys));
  const save = useSaveRoles(props);
  const base = stored.roles;
  const edit = { base, wishes, facts, operations };
  const changes = accessChanges(edit);
  const saved = () => {
    keepWishes({});
    void notify(plural(changes.length, "1 change saved", "{count} changes saved"));
  };
  const submit = () =>
    save.mutate({ body: withWishes(base, wishes), etag: stored.etag }, { onSuccess: saved });
  return (
    <div className="flex flex-col gap-6">
      <Card
        id="roles"
        flush
        title={t("Roles")}
        description={t(
          "A role in the whole tenant applies at every site. A role at a site is limited to that site.",
        )}
      >
        <RoleTable {...props} base={base} wishes={wishes} onWishes={keepWishes} />
      </Card>
      <GroupRolesCard
        userId={userId}
        site={props.site}
        roleNames={Object.fromEntries(facts.map(({ id, name }) => [id, translated(name)]))}
      />
      {save.error ? <SaveFailed error={save.error} /> : null}
      <AccessDifference
        changes={changes}
        breaking={breakingKeys(edit, keys.data ?? [])}
        saving={save.isPending}
        onDiscard={() => keepWishes({})}
        onSave={submit}
      />
    </div>
  );
}

interface RoleTableProps extends AccessEditorProps {
  base: TenantRoles;
  wishes: Wishes;
  onWishes: (wishes: Wishes) => void;
}

/** The roles that match the filter, with their boxes. */
function RoleTable({ base, wishes, onWishes, ...props }: RoleTableProps) {
  const { userId, user, site, facts, own } = props;
  const { view } = usePortal();
  const { data: use } = useQuery(useLastUseQuery(userId, site));
  const [filter, setFilter] = useState<RoleFilter>({ search: "", isGrantedOnly: false });
  const shown = matchingRoles({ base, wishes, facts }, filter);
  const groupOf = useGroupOf(userId, site);
  const isOpen = (place: string, roleId: string) =>
    groupOf(place, roleId) === undefined && mayChange(own, site, place, roleId);
  return (
    <>
      <AccessToolbar
        {...{ userId, site, facts, base, filter, onWishes }}
        shown={shown.length}
        mayChange={isOpen}
        onFilter={setFilter}
      />
      {use ? (
        <UnusedRoles {...{ use, user, base, wishes, facts, onWishes }} mayChange={isOpen} />
      ) : null}
      <AccessMatrix
        {...{ base, wishes, facts, shown, use }}
        sites={site === undefined ? view.sites : [site]}
        mayChange={isOpen}
        groupOf={groupOf}
        onWish={(place, roleId, wanted) => onWishes({ ...wishes, [cellOf(place, roleId)]: wanted })}
      />
    </>
  );
}

/** After a conflict the user's ticks are kept and compared with the current roles. */
function SaveFailed({ error }: { error: Error }) {
  const isStale = error instanceof CallError && error.code === "precondition.failed";
  return (
    <ErrorNotice
      title={isStale ? t("Someone else changed these roles") : t("Changes not saved")}
      detail={
        isStale
          ? t("The current roles are shown with your changes applied. Check them, then save again.")
          : errorText(error)
      }
      requestId={error instanceof CallError ? error.requestId : undefined}
    />
  );
}
