import { Badge } from "@/components/ui/badge";
import { Cell, Head, Row, Table } from "@/components/ui/table/table";
import type { SchemaField } from "./schema-fields";

export function FieldTable({ label, fields }: { label: string; fields: SchemaField[] }) {
  return (
    <Table label={`Table: ${label}`} className="[--row:36px]" cards>
      <Head names={["Field", "Type", "Notes"]} />
      <tbody>
        {fields.map((field) => (
          <Row key={field.path}>
            <Cell card="text">
              <code className="text-meta">{field.path}</code>{" "}
              {field.required ? <Badge>required</Badge> : null}
            </Cell>
            <Cell className="text-muted">{field.type}</Cell>
            <Cell wraps className="text-muted" card="row">
              {field.note}
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
