import { msg, t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import type { PortalView } from "./portal-view";

const words = { demo: msg("Demo"), sandbox: msg("Sandbox") };

function kindWords({ kind }: PortalView): string | undefined {
  return kind === "demo" || kind === "sandbox" ? t(words[kind]) : undefined;
}

/** Whether the user may add sample traffic to a sandbox and remove it. */
export const mayManageSample = ({ kind, permissions }: PortalView): boolean =>
  kind === "sandbox" && permissions.includes("tenant.manage");

/** The badge in the header that marks a tenant without real data. */
export function KindBadge({ view }: { view: PortalView }) {
  const kind = kindWords(view);
  return kind === undefined ? null : (
    <span className="ms-1 hidden sm:inline-flex">
      <Badge tone="warning">{kind}</Badge>
    </span>
  );
}

/** The same below the header on a phone, where the header is too narrow. */
export function KindStrip({ view }: { view: PortalView }) {
  const kind = kindWords(view);
  return kind === undefined ? null : (
    <section
      aria-label={t("Kind of tenant")}
      className="bg-warning-bg px-4 py-0.5 text-center text-meta font-medium text-warning sm:hidden print:hidden"
    >
      {kind}
    </section>
  );
}
