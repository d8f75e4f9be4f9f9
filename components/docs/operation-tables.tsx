import { Badge } from "@/components/ui/badge";
import { Cell, Head, Row, Table } from "@/components/ui/table/table";

interface ParameterTableProps {
  label: string;
  parameters: readonly { name: string; required: boolean; type: string; note: string }[];
}

export function ParameterTable({ label, parameters }: ParameterTableProps) {
  return (
    <Table label={`Table: ${label}`} className="[--row:36px]" cards>
      <Head names={["Name", "Type", "Notes"]} />
      <tbody>
        {parameters.map(({ name, type, required, note }) => (
          <Row key={name}>
            <Cell card="text">
              <code className="text-meta">{name}</code> {required ? <Badge>required</Badge> : null}
            </Cell>
            <Cell wraps className="text-muted">
              {type}
            </Cell>
            <Cell wraps className="min-w-52 text-muted" card="row">
              {note}
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

interface HeaderTableProps {
  headers: readonly { name: string; description: string; example: string }[];
}

export function HeaderTable({ headers }: HeaderTableProps) {
  return (
    <Table label="Table: Response headers" className="[--row:36px]" cards>
      <Head names={["Header", "Meaning"]} />
      <tbody>
        {headers.map(({ name, description, example }) => (
          <Row key={name}>
            <Cell className="align-top" card="text">
              <code className="text-meta">{name}</code>
            </Cell>
            <Cell wraps className="min-w-52 text-muted" card="row">
              {description}
              {example ? <code className="block text-meta wrap-anywhere">{example}</code> : null}
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

interface ErrorTableProps {
  errors: readonly { status: number; code: string; title: string; remedy: string }[];
}

export function ErrorTable({ errors }: ErrorTableProps) {
  return (
    <Table label="Table: Errors" className="[--row:36px]" cards>
      <Head names={["Status", "Code", "What to do"]} />
      <tbody>
        {errors.map(({ status, code, title, remedy }) => (
          <Row key={code}>
            <Cell className="figures align-top text-muted" card="end">
              {status}
            </Cell>
            <Cell className="align-top" card="text">
              <a href={`/docs/errors/${code}`} className="rounded-[3px] font-mono text-meta">
                {code}
              </a>
            </Cell>
            <Cell wraps className="min-w-64 text-muted" card="row">
              <span className="block text-text">{title}</span>
              {remedy}
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
