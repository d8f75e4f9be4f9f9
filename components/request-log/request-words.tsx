import { msg, t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import type { RefusedRequest } from "@/lib/features/request-log/contract";

/** A status, coloured by what it means for the caller. */
export function RequestStatus({ status }: { status: number }) {
  const tone = status >= 500 ? "danger" : status >= 400 ? "warning" : "success";
  return <Badge tone={tone}>{status}</Badge>;
}

const kinds = {
  session: msg("a session"),
  apiKey: msg("an API key"),
  bearer: msg("a bearer token"),
  anonymous: msg("a shopper"),
  customer: msg("a customer"),
};

export function callerWords({ caller }: RefusedRequest): string {
  return caller ? t(kinds[caller.kind]) : t("unknown");
}
