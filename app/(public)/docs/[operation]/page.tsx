import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { operationPage } from "@/app/(public)/docs/reference";
import { OperationReference } from "@/components/docs/operation-reference";
import { portalTenants } from "@/lib/features/portal/portal";

/** The tenant in the samples for readers who are not signed in: the demo. */
const stranger = { tenant: "demo", site: "eu-store" };

type Props = PageProps<"/docs/[operation]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: operationPage((await params).operation, stranger)?.summary ?? "Page not found" };
}

export default async function OperationDocsPage({ params }: Props) {
  const signedIn = (await portalTenants()).at(-1);
  const reader = { ...stranger, ...(signedIn && { tenant: signedIn, isSignedIn: true }) };
  const page = operationPage((await params).operation, reader);
  if (!page) notFound();
  return <OperationReference page={page} />;
}
