import { CodeBlock as CopiedCode } from "@/components/ui/code-block";
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
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text is fixed, its parts never move
    <InlinePart key={index} part={part} />
  ));
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
        {block.lines?.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the code is fixed, its lines never move
          <span key={at}>
            {at > 0 ? "\n" : ""}
            {line.map(([kind, text], index) =>
              kind === "plain" ? (
                text
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: the code is fixed, its pieces never move
                <span key={index} className={colors[kind]}>
                  {text}
                </span>
              ),
            )}
          </span>
        ))}
      </CopiedCode>
    </div>
  );
}

function GuideList({ block }: { block: Extract<Block, { type: "list" }> }) {
  const items = block.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed, its items never move
    <li key={index} className="pl-1">
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
            {block.head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the table is fixed, its columns never move
              <HeadCell key={index}>
                <InlineText parts={cell} />
              </HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the table is fixed, its rows never move
            <Row key={at}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the table is fixed, its columns never move
                <Cell key={index} wraps className="min-w-28">
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

/** One block of a guide. `label` names a table for who cannot see what stands above it. */
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
