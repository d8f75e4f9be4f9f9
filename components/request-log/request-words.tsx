import { Badge } from "@/components/ui/badge";
import type { RefusedRequest } from "@/lib/features/request-log/contract";

/** A status, coloured by what it means for the caller. */
export function RequestStatus({ status }: { status: number }) {
  const tone = status >= 500 ? "danger" : status >= 400 ? "warning" : "success";
  return <Badge tone={tone}>{status}</Badge>;
}

const kinds = {
  session: "a session",
  apiKey: "an API key",
  bearer: "a bearer token",
  anonymous: "a shopper",
  customer: "a customer",
};

export function callerWords({ caller }: RefusedRequest): string {
  return caller ? kinds[caller.kind] : "unknown";
}
