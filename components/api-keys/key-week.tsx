import { useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { Sparkline } from "@/components/ui/sparkline";
import type { ApiKey } from "@/lib/api-keys/contract";

/** Calls of the key in the last 7 days, as the page's server read them. */
export function KeyWeek({ apiKey }: { apiKey: ApiKey }) {
  const { view } = usePortal();
  const weeks = useQueryClient().getQueryData<Record<string, number[]>>([view.tenant, "api-key-weeks"]);
  const week = weeks?.[apiKey.apiKeyId];
  if (!week) return <span className="text-muted">none</span>;
  const calls = week.reduce((sum, day) => sum + day, 0).toLocaleString("en");
  return <Sparkline values={week} label={`${calls} calls in 7 days`} width={72} height={20} />;
}
