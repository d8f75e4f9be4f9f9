"use client";

import { useMemo, useState } from "react";
import { msg, plural, t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table/table";
import { parseDocument } from "./json-document";
import { printJson } from "./printed-json";
import { compareFields, type FieldChange, mergeFields, type Side, sideFor } from "./three-way";

interface MergeViewProps {
  base: string;
  yours: string;
  theirs: string;
  /** The user who saved in the meantime; undefined for the current user in another tab or browser. */
  author: string | undefined;
  onMerged: (text: string) => void;
  onCancel: () => void;
}

const sides = [
  ["yours", msg("Yours")],
  ["base", msg("Before")],
  ["theirs", msg("Theirs")],
] as const;

type Texts = Pick<MergeViewProps, "base" | "yours" | "theirs">;

/** The changes of both sides, the chosen side of each field, and the merged text. */
function useMerge({ base, yours, theirs }: Texts) {
  const [chosen, setChosen] = useState<Record<string, Side>>({});
  const isReadable = useMemo(
    () => [base, yours, theirs].every((text) => parseDocument(text).root),
    [base, yours, theirs],
  );
  const changes = useMemo(
    () => (isReadable ? compareFields({ base, yours, theirs }) : []),
    [isReadable, base, yours, theirs],
  );
  const merged = useMemo(() => mergeFields(theirs, changes, chosen), [theirs, changes, chosen]);
  const open = changes.filter((change) => sideFor(change, chosen) === undefined).length;
  return { chosen, setChosen, isReadable, changes, merged, open };
}

/** Moves the focus to the view that replaced the editor. */
const focusHeading = (heading: HTMLElement | null) => heading?.focus();

const Heading = ({ children }: { children: string }) => (
  <h2
    id="merge-title"
    ref={focusHeading}
    tabIndex={-1}
    className="text-control font-semibold outline-none"
  >
    {children}
  </h2>
);

/** Both sides' edits, field by field: changes of one side are taken, conflicts are chosen. */
export function MergeView({ author, onMerged, onCancel, ...texts }: MergeViewProps) {
  const { chosen, setChosen, isReadable, changes, merged, open } = useMerge(texts);
  if (!isReadable) return <NotReadable onCancel={onCancel} />;
  return (
    <section aria-labelledby="merge-title" className="rounded-card border border-border bg-bg">
      <header className="flex flex-wrap items-center gap-3 border-b border-border px-4 py-3">
        <div className="min-w-0 flex-1 basis-64">
          <Heading>
            {author === undefined
              ? t("You saved elsewhere while you were editing here")
              : t("{author} saved while you were editing", { author })}
          </Heading>
          <p className="text-muted">{summary(changes, open)}</p>
        </div>
        <Button onClick={onCancel}>{t("Back to editing")}</Button>
        <Button
          tone="primary"
          disabled={merged === undefined}
          onClick={() => merged !== undefined && onMerged(merged)}
        >
          {t("Save merged")}
        </Button>
      </header>
      {changes.length > 0 ? (
        <Table label={t("Fields that differ")}>
          <thead>
            <tr>
              <HeadCell>{t("Field")}</HeadCell>
              {sides.map(([side, name]) => (
                <HeadCell key={side}>{t(name)}</HeadCell>
              ))}
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <FieldRow
                key={change.pointer}
                change={change}
                side={sideFor(change, chosen)}
                onChoose={(side) => setChosen({ ...chosen, [change.pointer]: side })}
              />
            ))}
          </tbody>
        </Table>
      ) : null}
    </section>
  );
}

function summary(changes: FieldChange[], open: number): string {
  if (changes.length === 0) return t("Both versions are the same. Theirs is kept.");
  if (open === 0) return t("The marked values are saved together.");
  return plural(
    open,
    "{count} field was changed by both of you. Choose which value stays; everything else is taken from whoever changed it.",
    "{count} fields were changed by both of you. Choose which value stays; everything else is taken from whoever changed it.",
  );
}

function NotReadable({ onCancel }: { onCancel: () => void }) {
  return (
    <section className="rounded-card border border-border bg-bg p-4">
      <p className="mb-3 text-control">
        {t("Your text is not valid JSON yet. Correct it first: it is merged field by field.")}
      </p>
      <Button onClick={onCancel}>{t("Back to editing")}</Button>
    </section>
  );
}

/** Prints both sides in one style, regardless of their formatting. */
const printed = (json: string | undefined) => (json === undefined ? undefined : printJson(json));

interface FieldRowProps {
  change: FieldChange;
  side: Side | undefined;
  onChoose: (side: Side) => void;
}

function FieldRow({ change, side, onChoose }: FieldRowProps) {
  return (
    <Row>
      <Cell className="align-top">
        <code className="text-meta">{change.pointer || "/"}</code>
        {change.changedBy === "both" ? (
          <div className="mt-1">
            <Badge tone={side ? "neutral" : "warning"}>{t("Changed by both")}</Badge>
          </div>
        ) : null}
      </Cell>
      {sides.map(([one, name]) => (
        <Cell key={one} wraps className="align-top">
          <label className="flex max-w-80 cursor-pointer items-start gap-2">
            <input
              type="radio"
              className="mt-0.5 size-4 shrink-0 accent-accent"
              name={`merge ${change.pointer}`}
              aria-label={`${t(name)}: ${change.pointer}`}
              checked={side === one}
              onChange={() => onChoose(one)}
            />
            <code className="max-h-40 overflow-y-auto whitespace-pre-wrap break-all text-meta">
              {printed(change[one]) ?? t("(missing)")}
            </code>
          </label>
        </Cell>
      ))}
    </Row>
  );
}
