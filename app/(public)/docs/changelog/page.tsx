import type { Metadata } from "next";
import { changesByKind } from "@/app/(public)/docs/changes";
import { ChangeList, ChangelogLead } from "@/components/docs/change-list";
import { PageHeader } from "@/components/ui/page-header";

export const metadata: Metadata = { title: "Changelog" };

export default function ChangelogPage() {
  return (
    <>
      <PageHeader title="Changelog" lead={<ChangelogLead />} />
      <ChangeList days={changesByKind()} />
    </>
  );
}
