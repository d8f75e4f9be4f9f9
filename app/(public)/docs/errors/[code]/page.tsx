import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ErrorReference } from "@/components/docs/errors";
import { type ErrorCode, errorCodes } from "@/lib/protocol/error-codes";
import { errorNames } from "@/lib/protocol/error-codes/entry";

type Props = PageProps<"/docs/errors/[code]">;

const isCode = (text: string): text is ErrorCode => Object.hasOwn(errorCodes, text);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { code } = await params;
  return { title: isCode(code) ? code : "Page not found" };
}

export default async function ErrorDocsPage({ params }: Props) {
  const { code } = await params;
  if (!isCode(code)) notFound();
  const { status, title, remedy } = errorCodes[code];
  return (
    <ErrorReference
      code={code}
      name={errorNames[status]}
      status={status}
      title={title}
      remedy={remedy}
    />
  );
}
