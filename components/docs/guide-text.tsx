import { CodeBlock as CopiedCode } from "@/components/ui/code-block";
import { inOrder } from "@/components/ui/in-order";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table/table";
import type { Block, CodeBlock, Inline } from "@/lib/catalogue/guides/guide";

const linkLook = "rounded-[3px] underline decoration-border-strong underline-offset-4";

const colors: Record<string, string> = {
  comment: "text-muted",
  string: "text-success",
  keyword: "text-accent",
  name: "text-warning",
  constant: "text-danger",
};

function InlinePart({ part }: { part: Inline }) {
  switch (part.type) {
    case "text":
      return part.text;
    case "code":
      return <code className="wrap-anywhere text-[0.93em]">{part.text}</code>;
    case "strong":
      return (
        <strong className="font-semibold">
          <InlineText parts={part.children} />
        </strong>
      );
    case "em":
      return (
        <em>
          <InlineText parts={part.children} />
        </em>
      );
    case "link":
      return (
        <a href={part.href} className={linkLook}>
          <InlineText parts={part.children} />
        </a>
      );
  }
}

export function InlineText({ parts }: { parts: Inline[] }) {
  return inOrder(parts, (part) => <InlinePart part={part} />);
}

const captions: Record<string, string> = {
  json: "Response",
  http: "Response",
  js: "JavaScript",
};

/** A block of code with its colours, where the build added them. */
export function GuideCode({ block }: { block: CodeBlock }) {
  const caption = captions[block.language];
  return (
    <div>
      {caption ? <p className="mb-1 text-meta text-muted">{caption}</p> : null}
      <CopiedCode code={block.text} label={caption?.toLowerCase() ?? "commands"}>
        {block.lines &&
          inOrder(block.lines, (line, at) => (
            <span>
              {at > 0 ? "\n" : ""}
              {inOrder(line, ([kind, text]) =>
                kind === "plain" ? text : <span className={colors[kind]}>{text}</span>,
              )}
            </span>
          ))}
      </CopiedCode>
    </div>
  );
}

function GuideList({ block }: { block: Extract<Block, { type: "list" }> }) {
  const items = inOrder(block.items, (item) => (
    <li className="pl-1">
      <InlineText parts={item} />
    </li>
  ));
  return block.isOrdered ? (
    <ol className="flex list-decimal flex-col gap-2 pl-6">{items}</ol>
  ) : (
    <ul className="flex list-disc flex-col gap-2 pl-6">{items}</ul>
  );
}

function GuideTable({ block, label }: { block: Extract<Block, { type: "table" }>; label: string }) {
  return (
    <div className="rounded-card border border-border">
      <Table label={label} className="[--row:36px]">
        <thead>
          <tr>
            {inOrder(block.head, (cell) => (
              <HeadCell>
                <InlineText parts={cell} />
              </HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          {inOrder(block.rows, (row) => (
            <Row>
              {inOrder(row, (cell) => (
                <Cell wraps className="min-w-28">
                  <InlineText parts={cell} />
                </Cell>
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

/** One block of a guide. `label` names a table for screen readers. */
export function GuideBlock({ block, label }: { block: Block; label: string }) {
  switch (block.type) {
    case "code":
      return <GuideCode block={block} />;
    case "list":
      return <GuideList block={block} />;
    case "table":
      return <GuideTable block={block} label={label} />;
    case "paragraph":
      return (
        <p>
          <InlineText parts={block.children} />
        </p>
      );
  }
}
