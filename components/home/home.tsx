"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useOwnKeys } from "@/components/api-keys/own-keys";
import { usePortal } from "@/components/shell/portal";
import type { PortalView } from "@/components/shell/portal-view";
import { useSiteName } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Card, Facts } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import type { TenantRoles } from "@/components/users/role-list";
import { RoleList } from "@/components/users/role-list";
import { FirstSteps } from "./first-steps";
import type { TenantFacts } from "./notice-lines";
import { NoticesCard } from "./notices-card";

interface HomeProps {
  /** The facts of the tenant that need attention. */
  facts: TenantFacts;
  roles: TenantRoles;
  roleNames: Record<string, string>;
  /** Rendered on the server, for users who may read the audit trail. */
  changes: ReactNode;
  /** Rendered on the server, for users who may read metrics. */
  traffic: ReactNode;
  /** The same for sample traffic, when a sandbox has some and no calls yet. */
  sample: ReactNode;
  /** Whether there were calls of programs or customers in the last day. */
  hasTraffic: boolean;
  /** The charts saved for this page, for users who may read metrics. */
  charts: ReactNode;
}

/** The home page: the user's roles, notices and first steps. */
export function Home({ facts, roles, roleNames, changes, ...shown }: HomeProps) {
  const { traffic, sample, hasTraffic, charts } = shown;
  const { view } = usePortal();
  const siteName = useSiteName();
  const own = useOwnKeys();
  const keys = useQuery({
    ...own,
    refetchInterval: (query) => (query.state.data?.some((key) => key.lastUsedAt) ? false : 5000),
  });
  // The first steps end with the first call.
  const hasCalled = keys.data?.some((key) => key.lastUsedAt) ?? false;
  // Figures and charts are empty before.
  const isNew = !hasCalled && !hasTraffic;
  return (
    <>
      <PageHeader
        title={t("Welcome, {name}", { name: view.user.name })}
        lead={t("You are signed in to {tenant}.", {
          tenant:
            view.tenantName === view.tenant ? view.tenant : `${view.tenantName} (${view.tenant})`,
        })}
      />
      <div className="mb-6 empty:hidden">
        <NoticesCard facts={facts} />
      </div>
      {isNew ? (
        <Operations traffic={sample} charts={null} />
      ) : (
        <Operations traffic={traffic} charts={charts} />
      )}
      <div className="grid items-start gap-6 *:min-w-0 lg:grid-cols-[3fr_2fr]">
        <div className="flex flex-col gap-6 empty:hidden">
          {hasCalled ? null : <FirstSteps keys={keys.data ?? []} hasSample={sample !== null} />}
          {isNew ? null : changes}
        </div>
        <Card title={t("Your access")} id="rights">
          <Facts
            facts={[
              { name: t("Login"), value: view.user.login },
              { name: t("Roles"), value: <RoleList roles={roles} names={roleNames} /> },
              { name: reachOf(view, siteName), value: <Permissions names={view.permissions} /> },
            ]}
          />
        </Card>
      </div>
    </>
  );
}

function Operations({ traffic, charts }: Pick<HomeProps, "traffic" | "charts">) {
  return (
    <>
      {traffic ? <div className="mb-6">{traffic}</div> : null}
      {charts ? <div className="mb-6">{charts}</div> : null}
    </>
  );
}

/** With roles at one site only there is no permission beyond it: pages of the whole tenant stay closed. */
const reachOf = ({ onlySite }: PortalView, siteName: (id: string) => string) =>
  onlySite === undefined
    ? t("Permissions")
    : t("Permissions at {site} only", { site: siteName(onlySite) });

const atAGlance = 8;

/** An administrator has many: they are folded. */
function Permissions({ names }: { names: string[] }) {
  if (names.length === 0) return t("Your own profile, sessions and API keys");
  const badges = names.map((name) => <Badge key={name}>{name}</Badge>);
  if (names.length <= atAGlance) return badges;
  return (
    <details>
      <summary className="rounded-control">
        {t("Show all {count}", { count: names.length })}
      </summary>
      <div className="mt-2 flex flex-wrap gap-1">{badges}</div>
    </details>
  );
}
