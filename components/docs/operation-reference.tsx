import Link from "next/link";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Facts } from "@/components/ui/facts";
import { PageHeader } from "@/components/ui/page-header";
import { FieldTable } from "./field-table";
import type { SchemaPart } from "./schema-fields";

export interface OperationPage {
  operation: string;
  summary: string;
  credentials: string[];
  permission: string | undefined;
  query: SchemaPart | undefined;
  body: SchemaPart | undefined;
  answer: SchemaPart | undefined;
  status: number;
  curl: string;
}

function accessFacts({ credentials, permission }: OperationPage) {
  const roles = permission === "any-role" ? "any role in the tenant" : undefined;
  const link = (
    <Link
      href="/docs/permissions"
      className="underline decoration-border-strong underline-offset-4"
    >
      {permission}
    </Link>
  );
  return [
    {
      name: "Credential",
      value: credentials.length > 0 ? credentials.join(", ") : "none: it is in the body",
    },
    { name: "Permission", value: permission === undefined ? "none" : (roles ?? link) },
  ];
}

/** One operation: how to call it, what goes in and what comes out. */
export function OperationReference({ page }: { page: OperationPage }) {
  return (
    <>
      <PageHeader
        title={page.summary}
        lead={<code className="break-all text-body">{page.operation}</code>}
      />
      <div className="flex flex-col gap-6">
        <Card title="Call it" id="call">
          <div className="flex flex-col gap-4">
            <CodeBlock code={page.curl} label="curl" />
            <Facts facts={accessFacts(page)} />
          </div>
        </Card>
        {page.query ? (
          <PartCard id="query" title="Query" label="Query parameters" part={page.query} />
        ) : null}
        {page.body ? (
          <PartCard id="body" title="Body" label="Fields of the body" part={page.body} />
        ) : null}
        <PartCard
          id="answer"
          title={`Response ${page.status}`}
          label="Fields of the response"
          part={page.answer}
        />
      </div>
    </>
  );
}

function PartCard({
  id,
  title,
  label,
  part,
}: {
  id: string;
  title: string;
  label: string;
  part: SchemaPart | undefined;
}) {
  const fields = part?.fields ?? [];
  return (
    <Card title={title} id={id} flush={fields.length > 0}>
      {fields.length > 0 ? (
        <FieldTable label={label} fields={fields} />
      ) : (
        <p className="text-muted">{part?.note ?? "No body."}</p>
      )}
    </Card>
  );
}
