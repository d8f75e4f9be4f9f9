"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { useSiteName } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CallFailed } from "@/components/ui/error-notice";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { notify } from "@/components/ui/toast";
import type { AccessRequest } from "@/lib/features/users/access-requests-contract";
import { useAccessRequestsQuery } from "./access-queries";

const GrantUntilDialog = lazyPart(() =>
  import("./end-dialogs").then((module) => module.GrantUntilDialog),
);

type Decision = { decision: "grant" | "decline"; expiresAt?: string };

/** The access requests of other users: each is granted, granted until a time, or declined. Renders nothing without requests. */
export function AccessRequests({ roleNames }: { roleNames: Record<string, string> }) {
  const { view } = usePortal();
  const { data: requests = [] } = useQuery(useAccessRequestsQuery());
  const asked = requests.filter(({ user }) => user.id !== view.user.id);
  if (asked.length === 0) return null;
  return (
    <Card id="access-requests" title={t("Access asked for")} flush>
      <ul>
        {asked.map((request) => (
          <Row key={request.id} request={request} role={roleNames[request.role] ?? request.role} />
        ))}
      </ul>
    </Card>
  );
}

/** Decides a request; when another user has decided it first, shows who. */
function useDecision({ id }: AccessRequest) {
  const { call } = usePortal();
  const queries = useQueryClient();
  const query = useAccessRequestsQuery();
  const router = useRouter();
  return useMutation({
    mutationFn: (body: Decision) =>
      call("POST /v1/user/access-requests/{id}/decide", { params: { id }, body }),
    onSuccess: async ({ state }) => {
      await queries.invalidateQueries(query);
      router.refresh();
      void notify(state === "granted" ? t("Access granted") : t("Access declined"));
    },
  });
}

function useWish({ user, site }: AccessRequest, role: string): string {
  const nameOf = useSiteName();
  return site === null
    ? t("{name} ({login}) asks for {role} in the whole tenant", { ...user, role })
    : t("{name} ({login}) asks for {role} at {site}", { ...user, role, site: nameOf(site) });
}

function Row({ request, role }: { request: AccessRequest; role: string }) {
  const [isTimed, setIsTimed] = useState(false);
  const decision = useDecision(request);
  const wish = useWish(request, role);
  const { reason } = request;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-border px-4 py-2.5 text-body last:border-b-0">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p>{wish}</p>
        {reason === "" ? null : <p className="text-muted">{reason}</p>}
        <p className="text-meta text-muted">
          <Instant at={request.createdAt} />
        </p>
        {decision.error ? (
          <CallFailed title={t("Nothing was decided")} error={decision.error} />
        ) : null}
      </div>
      <fieldset className="flex flex-wrap gap-2" aria-label={wish}>
        <Button
          size="small"
          busy={decision.isPending}
          onClick={() => decision.mutate({ decision: "grant" })}
        >
          {t("Grant")}
        </Button>
        <Button size="small" onClick={() => setIsTimed(true)}>
          {t("Grant until…")}
        </Button>
        <Button
          size="small"
          tone="quiet"
          busy={decision.isPending}
          onClick={() => decision.mutate({ decision: "decline" })}
        >
          {t("Decline")}
        </Button>
      </fieldset>
      {isTimed ? (
        <GrantUntilDialog
          title={wish}
          onGrant={(expiresAt) => decision.mutateAsync({ decision: "grant", expiresAt })}
          onClose={() => setIsTimed(false)}
        />
      ) : null}
    </li>
  );
}
