"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { DeletedPreviews } from "./deleted-previews";
import { usePreviewList } from "./preview-queries";
import { PreviewsTable } from "./previews-table";

const NewPreviewDialog = lazy(() =>
  import("./new-preview-dialog").then((module) => ({ default: module.NewPreviewDialog })),
);

interface PreviewsViewProps {
  site: string;
  mayWrite: boolean;
}

/** The preview configurations of one site. */
export function PreviewsView({ site, mayWrite }: PreviewsViewProps) {
  const [isCreating, setIsCreating] = useState(false);
  const create = mayWrite ? (
    <Button
      tone="primary"
      icon={<Plus aria-hidden="true" className="size-4" />}
      onClick={() => setIsCreating(true)}
    >
      Create preview
    </Button>
  ) : null;
  return (
    <>
      <PageHeader
        title="Previews"
        lead={`What ${site} will show, before its shoppers see it.`}
        actions={create}
      />
      <div className="rounded-card border border-border bg-bg">
        <FoundPreviews site={site} mayWrite={mayWrite} />
      </div>
      {mayWrite ? <DeletedPreviews site={site} /> : null}
      <Suspense>
        {isCreating ? <NewPreviewDialog site={site} onClose={() => setIsCreating(false)} /> : null}
      </Suspense>
    </>
  );
}

function FoundPreviews({ site, mayWrite }: PreviewsViewProps): ReactNode {
  const { data, error } = useQuery(usePreviewList(site));
  if (error && !data) {
    return (
      <div className="p-4">
        <CallFailed title="The previews could not be read" error={error} />
      </div>
    );
  }
  if (!data) return <Skeleton className="m-3 h-40" />;
  return data.length > 0 ? (
    <PreviewsTable previews={data} site={site} mayWrite={mayWrite} />
  ) : (
    <NoPreviews site={site} />
  );
}

function NoPreviews({ site }: { site: string }) {
  const { view } = usePortal();
  const headers = `-H 'X-Service-Tenant: ${view.tenant}' \\\n  -H 'X-Service-Site: ${site}' \\\n  -H 'X-Service-API-Key: svk_...'`;
  return (
    <EmptyState
      title="No previews yet"
      purpose="A preview configuration defines what a page shows and lets you view it before shoppers do."
    >
      <CodeBlock
        label="the call that creates one"
        code={`curl '${view.origin}/pim/preview' \\\n  ${headers} \\\n  -H 'Content-Type: application/json' \\\n  -d '{"key":"home","configuration":{"title":"Home page"}}'`}
      />
    </EmptyState>
  );
}
