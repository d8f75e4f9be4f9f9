"use client";

import { useState } from "react";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { controlLook, Field, Select } from "@/components/ui/form/field";
import { textOf, useAction } from "@/components/ui/form/use-action";
import { Instant } from "@/components/ui/instant";
import type { PreviewComment } from "@/lib/features/previews/comments/contract";

interface CommentListProps {
  comments: PreviewComment[];
  /** The id of the reading user or share. */
  self: string;
  mayResolve: boolean;
  mayDelete: boolean;
  /** Shows the place that a comment is about. */
  onPlace?: (pointer: string) => void;
  onResolve: (comment: PreviewComment) => void;
  onDelete: (comment: PreviewComment) => void;
}

const nameOf = ({ author }: PreviewComment) =>
  author.type === "share"
    ? t("Somebody with a link")
    : (author.login ?? author.name ?? t("The team"));

/** The comments on a preview, newest first; resolved ones are hidden initially. */
export function CommentList(props: CommentListProps) {
  const [isAll, setIsAll] = useState(false);
  const resolved = props.comments.filter((one) => one.resolved).length;
  const shown = isAll ? props.comments : props.comments.filter((one) => !one.resolved);
  return (
    <>
      {shown.length === 0 ? <p className="text-body text-muted">{t("No open comments.")}</p> : null}
      <ul className="flex flex-col gap-3">
        {shown.map((comment) => (
          <li key={comment.id} className="rounded-control border border-border px-3 py-2">
            <CommentText {...props} comment={comment} />
          </li>
        ))}
      </ul>
      {resolved > 0 ? (
        <Button tone="quiet" size="small" onClick={() => setIsAll(!isAll)}>
          {isAll ? t("Hide resolved") : t("Show {resolved} resolved", { resolved })}
        </Button>
      ) : null}
    </>
  );
}

function CommentText(props: CommentListProps & { comment: PreviewComment }) {
  const { comment, self, mayResolve, mayDelete, onPlace, onResolve, onDelete } = props;
  const { pointer, text, resolved, createdAt, author } = comment;
  const isOwn = author.id === self;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 text-meta text-muted">
        <span className="font-medium text-text">{nameOf(comment)}</span>
        <Instant at={createdAt} />
        {resolved ? <Badge tone="success">{t("Resolved")}</Badge> : null}
      </p>
      {pointer === null ? null : onPlace ? (
        <button
          type="button"
          className="rounded-control text-meta text-accent underline underline-offset-4 wrap-anywhere"
          onClick={() => onPlace(pointer)}
        >
          <code>{pointer || "/"}</code>
        </button>
      ) : (
        <code className="text-meta text-muted wrap-anywhere">{pointer || "/"}</code>
      )}
      <p className="whitespace-pre-wrap text-body wrap-anywhere">{text}</p>
      <div className="mt-1 flex gap-2">
        {mayResolve || isOwn ? (
          <Button tone="quiet" size="small" onClick={() => onResolve(comment)}>
            {resolved ? t("Reopen") : t("Resolve")}
          </Button>
        ) : null}
        {mayDelete || isOwn ? (
          <Button tone="quiet" size="small" onClick={() => onDelete(comment)}>
            {t("Delete")}
          </Button>
        ) : null}
      </div>
    </>
  );
}

interface CommentFormProps {
  /** The JSON Pointers that can be chosen. */
  pointers: readonly string[];
  /** The preselected pointer. */
  place?: string | undefined;
  onSend: (comment: { pointer: string | null; text: string }) => Promise<unknown>;
}

export function CommentForm({ pointers, place, onSend }: CommentFormProps) {
  const [sent, setSent] = useState(0);
  const { busy, errors, error, form } = useAction(
    async (values) => {
      const pointer = textOf(values, "pointer") || null;
      await onSend({ pointer, text: textOf(values, "text") });
      setSent(sent + 1);
    },
    ["/text"],
  );
  const known = place && !pointers.includes(place) ? [place, ...pointers] : pointers;
  return (
    <form method="post" {...form} className="flex flex-col gap-3">
      <Field label={t("About")}>
        {(control) => (
          <Select {...control} key={place} name="pointer" defaultValue={place} className="w-full">
            <option value="">{t("The whole preview")}</option>
            {known.map((pointer) => (
              <option key={pointer} value={pointer}>
                {pointer}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t("Comment")} error={errors["/text"]}>
        {(control) => (
          <textarea
            {...control}
            key={sent}
            name="text"
            required
            rows={3}
            maxLength={2000}
            className={`${controlLook} h-auto py-2`}
          />
        )}
      </Field>
      {error ? <CallFailed title={t("The comment was not added")} error={error} /> : null}
      <div className="flex justify-end">
        <Button type="submit" busy={busy}>
          {t("Add comment")}
        </Button>
      </div>
    </form>
  );
}
