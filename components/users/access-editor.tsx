"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Card } from "@/components/ui/card";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { notify } from "@/components/ui/toast";
import { CallError } from "@/lib/catalogue/client";
import {
  accessChanges,
  breakingKeys,
  cellOf,
  holdsAt,
  type OperationFacts,
  type RoleFacts,
  wholeTenant,
  withWishes,
} from "./access-changes";
import { AccessDifference } from "./access-difference";
import { useAccessDraft } from "./access-draft";
import { AccessMatrix } from "./access-matrix";
import { useActiveKeysQuery, useRolesQuery } from "./access-queries";
import type { TenantRoles } from "./role-list";

interface AccessEditorProps {
  userId: string;
  site: string | undefined;
  facts: RoleFacts[];
  operations: OperationFacts[];
  /** The roles of the person on screen: tenant.admin and portal.users.mgmt are granted by their holders only. */
  own: TenantRoles;
  /** Whether the user's keys may be seen, to tell which would break. */
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

/** The roles of a user, tick by tick; what saving would mean is told in words before. */
export function AccessEditor({
  userId,
  site,
  facts,
  operations,
  own,
  seesKeys,
}: AccessEditorProps) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const router = useRouter();
  const [wishes, keepWishes] = useAccessDraft(view.tenant, userId);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<CallError>();
  const stored = useRolesQuery(userId, site);
  const roles = useQuery(stored);
  const keys = useQuery(useActiveKeysQuery(userId, seesKeys));
  if (roles.error)
    return <ErrorNotice title="The roles could not be read" detail={roles.error.message} />;
  if (!roles.data) return <Skeleton className="h-96" />;
  const base = roles.data.roles;
  const changes = accessChanges(base, wishes, facts, operations);
  const save = async () => {
    setSaving(true);
    setError(undefined);
    try {
      const body = withWishes(base, wishes) as never;
      await call("PUT /v1/user/{id}/roles", {
        site,
        params: { id: userId },
        body,
        etag: roles.data.etag,
      });
      keepWishes({});
      void notify(`${changes.length === 1 ? "1 change" : `${changes.length} changes`} saved`);
      router.refresh();
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      setError(thrown);
    }
    await queries.invalidateQueries(stored);
    setSaving(false);
  };
  return (
    <div className="flex flex-col gap-6">
      <Card
        id="roles"
        flush
        title="Roles"
        description="A role in the whole tenant holds at every site. A role at a site gives the same, limited to that site."
      >
        <AccessMatrix
          base={base}
          wishes={wishes}
          facts={facts}
          sites={site === undefined ? view.sites : [site]}
          mayChange={(place, roleId) => mayChange(own, site, place, roleId)}
          onWish={(place, roleId, wanted) =>
            keepWishes({ ...wishes, [cellOf(place, roleId)]: wanted })
          }
        />
      </Card>
      {error ? <SaveFailed error={error} /> : null}
      <AccessDifference
        changes={changes}
        breaking={breakingKeys(base, wishes, facts, operations, keys.data ?? [])}
        saving={saving}
        onDiscard={() => keepWishes({})}
        onSave={() => void save()}
      />
    </div>
  );
}

/** Of two who changed the same roles, the second keeps what was ticked and sees it against the present roles. */
function SaveFailed({ error }: { error: CallError }) {
  const isStale = error.code === "precondition.failed";
  return (
    <ErrorNotice
      title={isStale ? "Someone else changed these roles" : "Changes not saved"}
      detail={
        isStale
          ? "The current roles are shown with your changes applied. Check them, then save again."
          : error.message
      }
      requestId={error.requestId}
    />
  );
}
