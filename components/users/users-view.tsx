"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { Suspense } from "react";
import { useKept } from "@/components/ui/kept";
import { lazyPart } from "@/components/ui/lazy-part";
import { PageHeader } from "@/components/ui/page-header";
import { InviteButtons } from "./invite-buttons";
import { listParsers } from "./list-parsers";
import type { ListState } from "./list-state";
import { useSelection } from "./selection";
import { UsersPager } from "./users-pager";
import { useUsersQuery } from "./users-query";
import { UsersResult } from "./users-result";
import { UsersToolbar } from "./users-toolbar";

const BulkBar = lazyPart(() => import("./bulk-bar").then((module) => module.BulkBar), {
  kind: "panel",
});

interface UsersViewProps {
  roleNames: Record<string, string>;
  mayManage: boolean;
  /** The site that the authority over users comes from; undefined where it is the whole tenant. */
  site: string | undefined;
}

/** The users of the tenant: found, sorted and paged by the service; what is on screen is in the address. */
export function UsersView(props: UsersViewProps) {
  return (
    <NuqsAdapter>
      <UsersOfTheTenant {...props} />
    </NuqsAdapter>
  );
}

function UsersOfTheTenant({ roleNames, mayManage, site }: UsersViewProps) {
  const [state, setState] = useQueryStates(listParsers, { history: "replace", shallow: true });
  const [hidden, setHidden] = useKept("users.hidden", "");
  const found = useQuery(useUsersQuery(state, site));
  const selection = useSelection(found.data?.users ?? []);
  const selected = [...selection.users.values()];
  const narrow = (change: Partial<ListState>) =>
    void setState({ ...change, page: null, cursor: null });
  const hiddenColumns = hidden.split(",").filter(Boolean);
  return (
    <>
      <PageHeader
        title="Users"
        wide
        lead="Who can sign in to this tenant, and with which roles."
        actions={mayManage ? <InviteButtons site={site} roleNames={roleNames} /> : null}
      />
      <div className="rounded-card border border-border bg-bg">
        <UsersToolbar
          state={state}
          onNarrow={narrow}
          roleNames={roleNames}
          hidden={hiddenColumns}
          onHide={(columns) => setHidden(columns.join(","))}
        />
        {selected.length > 0 ? (
          <Suspense>
            <BulkBar users={selected} site={site} roleNames={roleNames} onClear={selection.clear} />
          </Suspense>
        ) : null}
        <UsersResult
          selection={mayManage ? selection : undefined}
          found={found}
          state={state}
          onNarrow={narrow}
          hidden={hiddenColumns}
          roleNames={roleNames}
        />
        {found.error && !found.data ? null : (
          <UsersPager
            state={state}
            shown={found.data?.users.length ?? 0}
            next={found.isPlaceholderData ? null : (found.data?.next ?? null)}
            onTurn={(change) => void setState(change, { history: "push" })}
          />
        )}
      </div>
    </>
  );
}
