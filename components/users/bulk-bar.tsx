"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { type Message, msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import type { User } from "@/lib/features/users/contract";
import type { BulkAction } from "./bulk-work";
import { userKeys } from "./query-keys";
import { saveUsers } from "./save-users";

const BulkDialog = lazyPart(() => import("./bulk-dialog").then((module) => module.BulkDialog));

interface BulkBarProps {
  users: User[];
  site: string | undefined;
  roleNames: Record<string, string>;
  onClear: () => void;
}

const actions: { action: BulkAction; label: Message }[] = [
  { action: "lock", label: msg("Lock") },
  { action: "unlock", label: msg("Unlock") },
  { action: "add-role", label: msg("Add role") },
  { action: "remove-role", label: msg("Remove role") },
];

/** The actions on all selected users. */
export function BulkBar({ users, site, roleNames, onClear }: BulkBarProps) {
  const { view } = usePortal();
  const queries = useQueryClient();
  const [action, setAction] = useState<BulkAction>();
  const changed = () => void queries.invalidateQueries({ queryKey: userKeys.all(view.tenant) });
  return (
    <section
      aria-label={t("Selected users")}
      className="flex flex-wrap items-center gap-2 border-b border-border bg-accent-bg px-3 py-2"
    >
      <span role="status" className="figures text-body font-medium">
        {t("{count} selected", { count: users.length })}
      </span>
      {actions.map((entry) => (
        <Button key={entry.action} size="small" onClick={() => setAction(entry.action)}>
          {t(entry.label)}
        </Button>
      ))}
      <Button size="small" onClick={() => void saveUsers(users, view.tenant)}>
        {t("Export")}
      </Button>
      <Button size="small" tone="quiet" onClick={onClear}>
        {t("Clear selection")}
      </Button>
      <Suspense>
        {action ? (
          <BulkDialog
            action={action}
            users={users}
            site={site}
            roleNames={roleNames}
            onChanged={changed}
            onClose={() => setAction(undefined)}
          />
        ) : null}
      </Suspense>
    </section>
  );
}
