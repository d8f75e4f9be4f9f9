"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useKept } from "@/components/ui/kept";
import { PageHeader } from "@/components/ui/page-header";
import { listParsers } from "./list-parsers";
import type { ListState } from "./list-state";
import { Pager } from "./pager";
import { useUsersQuery } from "./users-query";
import { UsersResult } from "./users-result";
import { UsersToolbar } from "./users-toolbar";

interface UsersViewProps {
  roleNames: Record<string, string>;
}

/** The users of the tenant: found, sorted and paged by the service; what is on screen is in the address. */
export function UsersView(props: UsersViewProps) {
  return (
    <NuqsAdapter>
      <UsersOfTheTenant {...props} />
    </NuqsAdapter>
  );
}

function UsersOfTheTenant({ roleNames }: UsersViewProps) {
  const [state, setState] = useQueryStates(listParsers, { history: "replace", shallow: true });
  const [hidden, setHidden] = useKept("users.hidden", "");
  const [density, setDensity] = useKept("users.density", "normal");
  const found = useQuery(useUsersQuery(state));
  const narrow = (change: Partial<ListState>) => void setState({ ...change, page: null, cursor: null });
  const hiddenColumns = hidden.split(",").filter(Boolean);
  return (
    <>
      <PageHeader title="Users" lead="Who can sign in to this tenant, and with which roles." />
      <div className="rounded-card border border-border bg-bg">
        <UsersToolbar
          state={state}
          onNarrow={narrow}
          roleNames={roleNames}
          hidden={hiddenColumns}
          onHide={(columns) => setHidden(columns.join(","))}
          density={density}
          onDensity={setDensity}
        />
        <UsersResult found={found} state={state} onNarrow={narrow} hidden={hiddenColumns} density={density} roleNames={roleNames} />
        <Pager
          state={state}
          shown={found.data?.users.length ?? 0}
          next={found.isPlaceholderData ? null : (found.data?.next ?? null)}
          onTurn={(change) => void setState(change, { history: "push" })}
        />
      </div>
    </>
  );
}
