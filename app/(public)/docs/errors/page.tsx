import type { Metadata } from "next";
import { ErrorCodeList } from "@/components/docs/errors";
import { PageHeader } from "@/components/ui/page-header";
import { errorCodes } from "@/lib/protocol/error-codes";

export const metadata: Metadata = { title: "Errors" };

export default function ErrorsDocsPage() {
  const codes = Object.entries(errorCodes).map(([code, { status, title }]) => ({
    code,
    status,
    title,
  }));
  return (
    <>
      <PageHeader
        title="Errors"
        lead="Every error has one of these codes. Programs act on the code; the detail is for people."
      />
      <ErrorCodeList codes={codes} />
    </>
  );
}
