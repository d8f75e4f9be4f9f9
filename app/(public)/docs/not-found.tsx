import { PageHeader } from "@/components/ui/page-header";

export default function DocsNotFoundPage() {
  return (
    <PageHeader title="Page not found" lead="The operation or error code may have been renamed." />
  );
}
