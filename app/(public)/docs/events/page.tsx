import type { Metadata } from "next";
import { eventReference } from "@/app/(public)/docs/event-reference";
import { EventReference } from "@/components/docs/event-reference";
import { PageHeader } from "@/components/ui/page-header";

export const metadata: Metadata = { title: "Events" };

export default function EventsDocsPage() {
  return (
    <>
      <PageHeader
        title="Events"
        lead="What happens in a tenant, as CloudEvents 1.0: read by GET /v1/events or delivered to a webhook. Each names the ids and the fields that changed; values are shown only to readers with audit.read."
      />
      <EventReference {...eventReference()} />
    </>
  );
}
