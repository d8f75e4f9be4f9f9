"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useRef, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/lazy-part";
import { ManagedKeys } from "./managed-keys";
import { keyKeys } from "./query-keys";

const GenerateDialog = lazyPart(() =>
  import("./generate-dialog").then((module) => module.GenerateDialog),
);

interface UserKeysProps {
  user: { id: string; name: string; kind?: "person" | "service" | undefined };
}

/** One user's keys as a manager sees them; a manager creates keys only for service users. */
export function UserKeys({ user }: UserKeysProps) {
  const { view } = usePortal();
  const queries = useQueryClient();
  const opener = useRef<HTMLButtonElement>(null);
  const [generating, setGenerating] = useState(false);
  const isService = user.kind === "service";
  const reload = () => void queries.invalidateQueries({ queryKey: keyKeys.managed(view.tenant) });
  return (
    <Card
      id="api-keys"
      flush
      title={t("API keys")}
      description={
        isService
          ? t("Managers create, rotate and revoke the keys of a service user.")
          : t(
              "Only the owner can create keys. Managers can suspend, resume, revoke or hand them over.",
            )
      }
      actions={
        isService ? (
          <Button
            ref={opener}
            tone="primary"
            onPointerEnter={GenerateDialog.preload}
            onFocus={GenerateDialog.preload}
            onClick={() => setGenerating(true)}
          >
            {t("Generate key")}
          </Button>
        ) : null
      }
    >
      <ManagedKeys filter="all" owner={user.id} />
      <Suspense>
        {generating ? (
          <GenerateDialog
            callable={[]}
            forUser={user}
            onCreated={reload}
            onClose={() => setGenerating(false)}
            returnFocus={() => opener.current?.focus()}
          />
        ) : null}
      </Suspense>
    </Card>
  );
}
