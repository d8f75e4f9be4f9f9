import { docsNavigation } from "@/app/(public)/docs/navigation";
import { DocsFrame } from "@/components/docs/docs-frame";
import { portalTenants } from "@/lib/features/portal/portal";

export default async function DocsLayout({ children }: LayoutProps<"/docs">) {
  const tenant = (await portalTenants()).at(-1);
  return (
    <DocsFrame home={tenant && `/t/${tenant}`} groups={docsNavigation()}>
      {children}
    </DocsFrame>
  );
}
