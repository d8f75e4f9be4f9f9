import { createHash } from "node:crypto";
import { db } from "@/lib/database/open";

/** The progress of importing a log: the number of counted lines and the hash of their text. */
export interface Mark {
  source: string;
  lines: number;
  digest: string;
}

/** Running hash of a log's lines. */
export function lineHash() {
  const hash = createHash("sha256");
  return {
    add: (line: string) => void hash.update(line).update("\n"),
    digest: () => hash.copy().digest("base64url"),
  };
}

const familyOf = (firstLine: string) =>
  `import ${createHash("sha256").update(firstLine).digest("base64url")}`;

async function marksOf(tenantId: string, family: string): Promise<Mark[]> {
  const { rows } = await db().$client.query<{ source: string; seq: string; digest: Buffer | null }>(
    "select source, seq, digest from metric_batches where tenant_id = $1 and starts_with(source, $2) order by seq",
    [tenantId, family],
  );
  return rows.map(({ source, seq, digest }) => ({
    source,
    lines: Number(seq),
    digest: digest?.toString("base64url") ?? "",
  }));
}

/**
 * The name that this log is counted under, and the line to continue from. A log that has grown is continued; a different one with the
 * same first line has its own name.
 */
export async function findMark(tenantId: string, lines: AsyncIterable<string>): Promise<Mark> {
  const hash = lineHash();
  let family = "";
  let marks: Mark[] = [];
  let best: Mark | undefined;
  let count = 0;
  for await (const line of lines) {
    if (count === 0) {
      family = familyOf(line);
      marks = await marksOf(tenantId, family);
    }
    hash.add(line);
    count += 1;
    for (const mark of marks)
      if (mark.lines === count && mark.digest === hash.digest()) best = mark;
    if (count >= (marks.at(-1)?.lines ?? 0)) break;
  }
  return best ?? { source: `${family} ${marks.length + 1}`, lines: 0, digest: "" };
}
