"use client";

import type { ComponentProps, ReactNode } from "react";
import { useAskedAction } from "@/components/shell/asked-action";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { Breadcrumb, PageHeader } from "@/components/ui/page-header";
import { ListResult } from "@/components/ui/table/list-result";

interface DestinationsPageProps<One>
  extends Omit<ComponentProps<typeof ListResult<One>>, "empty" | "action"> {
  title: string;
  lead: string;
  /** The label of the button that opens the dialog. */
  create: string;
  /** The empty state: the purpose, and the call that creates the first. */
  empty: { title: string; purpose: string; create: string; curl: string; about: string };
  dialog: (onClose: () => void) => ReactNode;
}

/** The list of a tenant's webhooks or audit streams. */
export function DestinationsPage<One>(props: DestinationsPageProps<One>) {
  const { title, lead, create, empty, dialog, ...list } = props;
  const [action, setAction] = useAskedAction(["create"]);
  return (
    <>
      <PageHeader
        title={title}
        wide
        lead={lead}
        actions={
          <Button tone="primary" onClick={() => setAction("create")}>
            {create}
          </Button>
        }
      />
      <div className="rounded-card border border-border bg-bg">
        <ListResult
          {...list}
          empty={<Nothing empty={empty} onCreate={() => setAction("create")} />}
        />
      </div>
      {action ? dialog(() => setAction(undefined)) : null}
    </>
  );
}

interface NothingProps extends Pick<DestinationsPageProps<never>, "empty"> {
  onCreate: () => void;
}

function Nothing({ empty: { title, purpose, create, curl, about }, onCreate }: NothingProps) {
  return (
    <EmptyState
      title={title}
      purpose={purpose}
      action={<Button onClick={onCreate}>{create}</Button>}
    >
      <CodeBlock code={curl} label={about} />
    </EmptyState>
  );
}

interface DestinationHeadProps {
  above: { label: string; href: string };
  /** The destination. */
  place: string;
  description: string;
  actions: ReactNode;
}

/** The header of the page of one destination. */
export const DestinationHead = ({ above, place, description, actions }: DestinationHeadProps) => (
  <>
    <Breadcrumb above={[above]} here={place} />
    <PageHeader title={place} lead={description || undefined} actions={actions} />
  </>
);
