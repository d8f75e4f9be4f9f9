import { Card, Facts } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { PageHeader } from "@/components/ui/page-header";

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
