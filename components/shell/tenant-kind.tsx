import { msg, t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import type { PortalView } from "./portal-view";

const words = { demo: msg("Demo"), sandbox: msg("Sandbox") };

function kindWords({ kind }: PortalView): string | undefined {
  return kind === "demo" || kind === "sandbox" ? t(words[kind]) : undefined;
}

/** Those who manage a sandbox add sample traffic to it and remove it. */
export const mayManageSample = ({ kind, permissions }: PortalView): boolean =>
  kind === "sandbox" && permissions.includes("tenant.manage");

/** In the header: that nothing in this tenant is real. */
export function KindBadge({ view }: { view: PortalView }) {
  const kind = kindWords(view);
  return kind === undefined ? null : (
    <span className="ms-1 hidden sm:inline-flex">
      <Badge tone="warning">{kind}</Badge>
    </span>
  );
}

/** The same under the header of a phone, which has no room for it. */
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
