import type { Metadata } from "next";
import { operationGroups } from "@/app/(public)/docs/reference";
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
      <OperationList groups={operationGroups()} />
    </>
  );
}
