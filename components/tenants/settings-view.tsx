"use client";

import { ConnectionsCard } from "@/components/connections/connections-card";
import { t } from "@/components/texts/t";
import { PageHeader } from "@/components/ui/page-header";
import { GeneralCard } from "./general-card";
import { QuotasCard } from "./quotas-card";
import { SecurityCard } from "./security-card";
import { SignInCard } from "./sign-in-card";
import { SitesCard } from "./sites-card";

/** What an administrator sets for the whole tenant. */
export function SettingsView() {
  return (
    <>
      <PageHeader
        title={t("Settings")}
        lead={t("Name, sites, security policy and quotas of this tenant.")}
      />
      <div className="flex flex-col gap-6">
        <GeneralCard />
        <SitesCard />
        <ConnectionsCard />
        <SignInCard />
        <SecurityCard />
        <QuotasCard />
      </div>
    </>
  );
}
