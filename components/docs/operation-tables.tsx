import { Badge } from "@/components/ui/badge";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { OperationPage } from "./operation-reference";

interface ParameterTableProps {
  label: string;
  parameters: OperationPage["parameters"];
}

export function ParameterTable({ label, parameters }: ParameterTableProps) {
  return (
    <Table label={`Table: ${label}`} className="[--row:36px]">
      <thead>
        <tr>
          <HeadCell>Name</HeadCell>
          <HeadCell>Type</HeadCell>
          <HeadCell>Notes</HeadCell>
        </tr>
      </thead>
      <tbody>
        {parameters.map(({ name, type, required, note }) => (
          <Row key={name}>
            <Cell>
              <code className="text-meta">{name}</code> {required ? <Badge>required</Badge> : null}
            </Cell>
            <Cell wraps className="text-muted">
              {type}
            </Cell>
            <Cell wraps className="min-w-52 text-muted">
              {note}
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

export function HeaderTable({ headers }: { headers: OperationPage["headers"] }) {
  return (
    <Table label="Table: Response headers" className="[--row:36px]">
      <thead>
        <tr>
          <HeadCell>Header</HeadCell>
          <HeadCell>Meaning</HeadCell>
        </tr>
      </thead>
      <tbody>
        {headers.map(({ name, description, example }) => (
          <Row key={name}>
            <Cell className="align-top">
              <code className="text-meta">{name}</code>
            </Cell>
            <Cell wraps className="min-w-52 text-muted">
              {description}
              {example ? <code className="block text-meta wrap-anywhere">{example}</code> : null}
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

export function ErrorTable({ errors }: { errors: OperationPage["errors"] }) {
  return (
    <Table label="Table: Errors" className="[--row:36px]">
      <thead>
        <tr>
          <HeadCell>Status</HeadCell>
          <HeadCell>Code</HeadCell>
          <HeadCell>What to do</HeadCell>
        </tr>
      </thead>
      <tbody>
        {errors.map(({ status, code, title, remedy }) => (
          <Row key={code}>
            <Cell className="figures align-top text-muted">{status}</Cell>
            <Cell className="align-top">
              <a href={`/docs/errors/${code}`} className="rounded-[3px] font-mono text-meta">
                {code}
              </a>
            </Cell>
            <Cell wraps className="min-w-64 text-muted">
              <span className="block text-text">{title}</span>
              {remedy}
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
