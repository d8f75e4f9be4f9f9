import Link from "next/link";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Facts } from "@/components/ui/facts";
import { PageHeader } from "@/components/ui/page-header";
import { FieldTable } from "./field-table";
import type { SchemaField } from "./schema-fields";

export interface OperationPage {
  operation: string;
  summary: string;
  credentials: string[];
  permission: string | undefined;
  query: SchemaField[];
  body: SchemaField[];
  answer: SchemaField[];
  status: number;
  curl: string;
}

/** One operation: how to call it, what goes in and what comes out. */
export function OperationReference({ page }: { page: OperationPage }) {
  return (
    <>
      <PageHeader title={page.summary} lead={<code className="break-all text-body">{page.operation}</code>} />
      <div className="flex flex-col gap-6">
        <Card title="Call it" id="call">
          <div className="flex flex-col gap-4">
            <CodeBlock code={page.curl} label="curl" />
            <Facts
              facts={[
                { name: "Credential", value: page.credentials.length > 0 ? page.credentials.join(", ") : "none: it is in the body" },
                {
                  name: "Permission",
                  value:
                    page.permission === undefined ? (
                      "none"
                    ) : page.permission === "any-role" ? (
                      "any role in the tenant"
                    ) : (
                      <Link href="/docs/permissions" className="underline decoration-border-strong underline-offset-4">
                        {page.permission}
                      </Link>
                    ),
                },
              ]}
            />
          </div>
        </Card>
        {page.query.length > 0 ? (
          <Card title="Query" id="query" flush>
            <FieldTable label="Query parameters" fields={page.query} />
          </Card>
        ) : null}
        {page.body.length > 0 ? (
          <Card title="Body" id="body" flush>
            <FieldTable label="Members of the body" fields={page.body} />
          </Card>
        ) : null}
        <Card title={`Answer ${page.status}`} id="answer" flush={page.answer.length > 0}>
          {page.answer.length > 0 ? (
            <FieldTable label="Members of the answer" fields={page.answer} />
          ) : (
            <p className="text-muted">No body.</p>
          )}
        </Card>
      </div>
    </>
  );
}
