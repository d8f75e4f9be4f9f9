import { t } from "@/components/texts/t";
import { CallError } from "@/lib/catalogue/client";
import type { CustomerImport } from "@/lib/features/customers/imports/contract";

interface Upload {
  tenant: string;
  site: string;
  file: File;
}

interface Failure {
  code?: CallError["code"];
  detail?: string;
  reason?: string;
}

/** Sends a file of customers as it is: the typed client sends JSON. Throws CallError. */
export async function uploadCustomers({ tenant, site, file }: Upload): Promise<CustomerImport> {
  const response = await fetch("/v1/customers/imports", {
    method: "POST",
    credentials: "same-origin",
    headers: {
      Accept: "application/json",
      "Content-Type": "application/x-ndjson",
      "X-Service-Tenant": tenant,
      "X-Service-Site": site,
    },
    body: file,
  }).catch(() => {
    throw new CallError(0, "network.unreachable", "The file could not be sent. Try again.");
  });
  if (response.ok) return response.json();
  const {
    code = "server.internal-error",
    detail = t("Something failed on our side."),
    reason,
  }: Failure = await response.json().catch(() => ({}));
  throw new CallError(response.status, code, detail, reason === undefined ? {} : { reason });
}
