import { Link } from "@/components/ui/link";
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
