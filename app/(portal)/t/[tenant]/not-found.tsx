import { EmptyState } from "@/components/ui/empty-state";

export default function TenantNotFoundPage() {
  return <EmptyState title="There is nothing at this address" purpose="What you look for does not exist in this tenant, or not for you." />;
}
