import { DocsFrame } from "@/components/docs/docs-frame";
import { portalTenants } from "@/lib/features/portal/portal";

export default async function DocsLayout({ children }: LayoutProps<"/docs">) {
  const tenant = (await portalTenants()).at(-1);
  return <DocsFrame home={tenant && `/t/${tenant}`}>{children}</DocsFrame>;
}
