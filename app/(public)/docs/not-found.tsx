import { EmptyState } from "@/components/ui/empty-state";

export default function DocsNotFoundPage() {
  return <EmptyState title="The reference has no such page" purpose="The operation or the code may have another name." />;
}
