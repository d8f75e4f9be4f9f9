"use client";

import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/lazy-part";
import { Loaded } from "@/components/ui/loaded";
import { connectionKeys } from "./query-keys";

/** Fetched only when there is a provider: most users have none. */
const Identities = lazyPart(() => import("./identities").then((module) => module.Identities), {
  kind: "panel",
  isRare: true,
});

/** The accounts at identity providers that sign the user in; they belong to the user, so only the home tenant has them. */
export function LinkedProviders({ home }: { home: string }) {
  const { view } = usePortal();
  return (
    <Card
      id="linked-providers"
      title={t("Linked providers")}
      description={t("Accounts at your company's identity provider that sign you in here.")}
    >
      {home === view.tenant ? (
        <OwnProviders />
      ) : (
        <p className="text-muted">
          {rich("Your linked providers belong to your home tenant {home}.", {
            home: <b className="font-medium text-text">{home}</b>,
          })}
        </p>
      )}
    </Card>
  );
}

function OwnProviders() {
  const { view, call } = usePortal();
  const found = useQuery({
    queryKey: connectionKeys.own(view.tenant),
    queryFn: async ({ signal }) => {
      const [identities, connections] = await Promise.all([
        call("GET /v1/user/identities", { signal }),
        call("GET /v1/user/sign-in-connections", { signal }),
      ]);
      return { identities, connections };
    },
  });
  return (
    <Loaded found={found} failed={t("Your linked providers could not be loaded")} skeleton="h-20">
      {(own) =>
        own.identities.length + own.connections.length > 0 ? (
          <Suspense>
            <Identities {...own} />
          </Suspense>
        ) : (
          <p className="text-control text-muted">
            {t(
              "This tenant has no identity provider. An administrator connects one in the settings.",
            )}
          </p>
        )
      }
    </Loaded>
  );
}
