"use client";

import { Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import type { NewUserKind } from "./invite-dialog";

const InviteDialog = lazyPart(() =>
  import("./invite-dialog").then((module) => module.InviteDialog),
);

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
    <div className="flex flex-wrap gap-2" onPointerEnter={InviteDialog.preload}>
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
