"use client";

import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import type { NewUserKind } from "./invite-dialog";

const load = () => import("./invite-dialog");
const InviteDialog = lazy(() => load().then((module) => ({ default: module.InviteDialog })));

/** The two ways to a new user. */
export function InviteButtons({
  site,
  roleNames,
}: {
  site: string | undefined;
  roleNames: Record<string, string>;
}) {
  const [kind, setKind] = useState<NewUserKind>();
  return (
    <div className="flex flex-wrap gap-2" onPointerEnter={() => void load()}>
      <Button onClick={() => setKind("service")}>Add service user</Button>
      <Button tone="primary" onClick={() => setKind("person")}>
        Invite user
      </Button>
      <Suspense>
        {kind ? (
          <InviteDialog
            kind={kind}
            site={site}
            roleNames={roleNames}
            onClose={() => setKind(undefined)}
          />
        ) : null}
      </Suspense>
    </div>
  );
}
