import { PageHeader } from "@/components/ui/page-header";

export default function DocsNotFoundPage() {
  return (
    <PageHeader
      title="The reference has no such page"
      lead="The operation or the code may have another name."
    />
  );
}
