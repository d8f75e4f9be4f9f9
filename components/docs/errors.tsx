import { Card, Facts } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Cell, Head, Row, Table } from "@/components/ui/table/table";

interface ListedCode {
  code: string;
  status: number;
  title: string;
}

export function ErrorCodeList({ codes }: { codes: ListedCode[] }) {
  return (
    <div className="rounded-card border border-border">
      <Table label="Error codes" className="[--row:36px]" cards>
        <Head names={["Code", "Status", "Meaning"]} />
        <tbody>
          {codes.map(({ code, status, title }) => (
            <Row key={code} className="relative">
              <Cell card="text">
                <Link
                  href={`/docs/errors/${code}`}
                  className="rounded-[3px] font-mono text-meta font-medium after:absolute after:inset-0"
                >
                  {code}
                </Link>
              </Cell>
              <Cell className="figures text-muted" card="end">
                {status}
              </Cell>
              <Cell className="text-muted" card="row">
                {title}
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

interface ErrorReferenceProps {
  code: string;
  name: string;
  status: number;
  title: string;
  remedy: string;
}

/** One error code: what happened and what to do. */
export function ErrorReference({ code, name, status, title, remedy }: ErrorReferenceProps) {
  return (
    <>
      <PageHeader title={title} lead={<code className="text-body">{code}</code>} />
      <div className="flex max-w-3xl flex-col gap-6">
        <Card title="What to do" id="remedy">
          <p className="text-control">{remedy}</p>
        </Card>
        <Card title="Response" id="answer">
          <div className="flex flex-col gap-4">
            <Facts
              facts={[
                { name: "Status", value: status },
                { name: "name", value: <code className="text-meta">{name}</code> },
                { name: "code", value: <code className="text-meta">{code}</code> },
              ]}
            />
            <CodeBlock
              code={JSON.stringify({ name, code, detail: title }, null, 2)}
              label="an example body"
            />
          </div>
        </Card>
      </div>
    </>
  );
}
