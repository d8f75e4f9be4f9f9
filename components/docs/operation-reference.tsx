import { Card, Facts } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { PageHeader } from "@/components/ui/page-header";
import { FieldTable } from "./field-table";
import { ErrorTable, HeaderTable, ParameterTable } from "./operation-tables";
import { SampleTabs } from "./sample-tabs";
import type { SchemaPart } from "./schema-fields";
import { TryItButton } from "./try-it-button";
import type { TriedOperation } from "./try-request";

interface BodyPart {
  part: SchemaPart;
  example: string;
  mediaTypes: string[];
}

export interface OperationPage {
  operation: string;
  summary: string;
  description: string;
  credentials: string[];
  access: {
    permission: string | undefined;
    roles: string[];
    isTenantWide: boolean;
    restrictedKeyNeeds: string | undefined;
  };
  parameters: {
    name: string;
    place: "path" | "query" | "header";
    required: boolean;
    type: string;
    note: string;
  }[];
  body: BodyPart | undefined;
  answer: BodyPart | undefined;
  status: number;
  headers: { name: string; description: string; example: string }[];
  errors: { status: number; code: string; title: string; remedy: string }[];
  samples: { label: string; code: string }[];
  /** The form that sends a request from the page. */
  tried: TriedOperation;
}

function permissionText({ permission, isTenantWide }: OperationPage["access"]) {
  if (permission === undefined) return "none";
  if (permission === "any-role") return "any role in the tenant";
  return (
    <span>
      <a href="/docs/permissions" className="underline decoration-border-strong underline-offset-4">
        {permission}
      </a>
      {isTenantWide ? " in the whole tenant" : ""}
    </span>
  );
}

function accessFacts({ credentials, access }: OperationPage) {
  return [
    {
      name: "Credential",
      value: credentials.length > 0 ? credentials.join(", ") : "none in a header",
    },
    { name: "Permission", value: permissionText(access) },
    ...(access.roles.length > 0 ? [{ name: "Given by", value: access.roles.join(", ") }] : []),
    ...(access.restrictedKeyNeeds
      ? [{ name: "A restricted key needs", value: access.restrictedKeyNeeds }]
      : []),
  ];
}

/** One operation: its purpose, how to call it, its input, output and errors. */
export function OperationReference({ page }: { page: OperationPage }) {
  return (
    <>
      <PageHeader
        title={page.summary}
        lead={<code className="break-all text-body">{page.operation}</code>}
      />
      <div className="grid gap-6 xl:grid-cols-[minmax(0,11fr)_minmax(0,9fr)]">
        <div className="flex min-w-0 flex-col gap-6 xl:order-1">
          <p className="max-w-[72ch] text-control leading-6 text-pretty">
            {page.description.replaceAll("`", "")}
          </p>
          <Card title="Access" id="access">
            <Facts facts={accessFacts(page)} />
          </Card>
          <Parameters page={page} />
          {page.body ? (
            <BodyCard id="body" title="Request body" label="Fields of the body" body={page.body} />
          ) : null}
          <BodyCard
            id="answer"
            title={`Response ${page.status}`}
            label="Fields of the response"
            body={page.answer}
          />
          {page.headers.length > 0 ? (
            <Card title="Response headers" id="headers" flush>
              <HeaderTable headers={page.headers} />
            </Card>
          ) : null}
          <Card title="Errors" id="errors" flush>
            <ErrorTable errors={page.errors} />
          </Card>
        </div>
        <section id="call" aria-label="Examples" className="min-w-0 xl:order-2">
          <div className="flex flex-col gap-4 xl:sticky xl:top-20 xl:max-h-[calc(100dvh-6rem)] xl:overflow-y-auto">
            <SampleTabs samples={page.samples} />
            <TryItButton operation={page.tried} />
            {page.answer ? (
              <div>
                <p className="mb-1 text-meta text-muted">Response {page.status}</p>
                <CodeBlock code={page.answer.example} label="the response" />
              </div>
            ) : null}
          </div>
        </section>
      </div>
    </>
  );
}

const places = [
  { place: "path", title: "Path parameters" },
  { place: "query", title: "Query parameters" },
  { place: "header", title: "Request headers" },
] as const;

function Parameters({ page }: { page: OperationPage }) {
  return places.map(({ place, title }) => {
    const found = page.parameters.filter((one) => one.place === place);
    return found.length > 0 ? (
      <Card
        key={place}
        title={title}
        id={place === "query" ? "query" : `${place}-parameters`}
        flush
      >
        <ParameterTable label={title} parameters={found} />
      </Card>
    ) : null;
  });
}

interface BodyCardProps {
  id: string;
  title: string;
  label: string;
  body: BodyPart | undefined;
}

function BodyCard({ id, title, label, body }: BodyCardProps) {
  const fields = body?.part.fields ?? [];
  const types = body?.mediaTypes.join(", ");
  return (
    <Card
      title={title}
      {...(types && types !== "application/json" ? { description: types } : {})}
      id={id}
      flush={fields.length > 0}
    >
      {fields.length > 0 ? (
        <FieldTable label={label} fields={fields} />
      ) : (
        <p className="text-muted">{body?.part.note ?? "No body."}</p>
      )}
    </Card>
  );
}
