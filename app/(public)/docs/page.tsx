import type { Metadata } from "next";
import { guideSummaries } from "@/app/(public)/docs/navigation";
import { operationGroups } from "@/app/(public)/docs/reference";
import { GuideList } from "@/components/docs/guide-list";
import { OperationList } from "@/components/docs/operation-list";
import { PageHeader } from "@/components/ui/page-header";

export const metadata: Metadata = { title: "Reference" };

export default function DocsPage() {
  return (
    <>
      <PageHeader
        title="API reference"
        lead="Every operation of the service. The portal uses the same operations, so your programs can do everything it does."
      />
      <GuideList guides={guideSummaries()} />
      <OperationList groups={operationGroups()} />
    </>
  );
}
