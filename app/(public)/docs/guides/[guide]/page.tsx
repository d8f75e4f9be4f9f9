import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { GuideView } from "@/components/docs/guide-view";
import { textOf } from "@/lib/catalogue/guides/guide";
import { findGuide } from "@/lib/catalogue/guides/parse";

type Props = PageProps<"/docs/guides/[guide]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const guide = findGuide((await params).guide);
  if (!guide) return { title: "Page not found" };
  const alternates = { types: { "text/markdown": `/docs/markdown/${guide.name}` } };
  return { title: guide.title, description: textOf(guide.lead), alternates };
}

export default async function GuidePage({ params }: Props) {
  const guide = findGuide((await params).guide);
  if (!guide) notFound();
  return <GuideView guide={guide} />;
}
