import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { FieldTable } from "./field-table";
import type { SchemaPart } from "./schema-fields";

interface ListedEvent {
  type: string;
  description: string;
  example: string;
}

interface Props {
  schema: SchemaPart;
  events: ListedEvent[];
}

/** The fields that all events have, then each type with an example. */
export function EventReference({ schema, events }: Props) {
  return (
    <div className="flex flex-col gap-6">
      <Card title="Fields of every event" id="fields" flush>
        <FieldTable label="Fields of every event" fields={schema.fields} />
      </Card>
      <Card title="Types" id="types">
        <p className="max-w-[70ch] text-muted">
          A filter names one type such as <code>user.locked</code>, all of a kind such as{" "}
          <code>user.*</code>, or <code>*</code>. In an event the prefix <code>gatehouse.</code>{" "}
          precedes the type.
        </p>
        <ul className="mt-4 divide-y divide-border border-t border-border">
          {events.map((event) => (
            <EventType key={event.type} event={event} />
          ))}
        </ul>
      </Card>
    </div>
  );
}

function EventType({ event: { type, description, example } }: { event: ListedEvent }) {
  return (
    <li id={type}>
      <details>
        <summary className="flex cursor-pointer flex-wrap gap-x-4 rounded-control py-2">
          <code className="min-w-60 font-medium">{type}</code>
          <span className="text-muted">{description}</span>
        </summary>
        <div className="pb-3">
          <CodeBlock code={example} label={`the example of ${type}`} />
        </div>
      </details>
    </li>
  );
}
