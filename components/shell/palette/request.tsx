"use client";

import { SearchCode } from "lucide-react";
import { requestsPath } from "@/components/request-log/requests-path";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { foundAlready, PaletteItem } from "./item";

/** What an X-Service-Request-Id looks like: a word with a digit, longer than most that people search for. */
const requestId = /^(?=.*\d)[A-Za-z0-9._-]{8,64}$/;

/** Leads to the request whose id was pasted, such as that of an error. */
export function PaletteRequest({ search, go }: { search: string; go: (href: string) => void }) {
  const { view } = usePortal();
  const id = search.trim();
  if (!view.permissions.includes("audit.read") || !requestId.test(id)) return null;
  return (
    <PaletteItem
      value={`request-${id}`}
      keywords={[foundAlready]}
      icon={<SearchCode aria-hidden="true" className="size-4 text-muted" />}
      onSelect={() => go(requestsPath(view.tenant, { requestId: id }))}
    >
      {t("Find request {id}", { id })}
    </PaletteItem>
  );
}
