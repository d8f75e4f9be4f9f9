"use client";

import { msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Notice } from "@/components/ui/notice";
import { CallError } from "@/lib/catalogue/client";
import type { Preview } from "@/lib/features/previews/contract";
import type { EditedDocument } from "./edited-document";

interface EditorNoticesProps {
  preview: Preview;
  edited: EditedDocument;
  isLocked: boolean;
  readError: Error | null;
}

const hasCode = (error: Error | null, code: string) =>
  error instanceof CallError && error.code === code;

const gone = msg(
  "This preview was deleted in the meantime. It can be restored from the list; your edits stay on this device.",
);

/** What the person should know about their edits before going on. */
export function EditorNotices({ preview, edited, isLocked, readError }: EditorNoticesProps) {
  const { save, isDirty, isBehind, isMerging, isKept, wasRestored } = edited;
  const isConflict = hasCode(save.error, "precondition.failed");
  const isGone = hasCode(readError, "preview.not-found");
  return (
    <div className="mb-4 flex flex-col gap-2 empty:hidden">
      {isGone ? <Notice tone="warning">{t(gone)}</Notice> : null}
      {preview.archivedAt ? (
        <Notice>{t("This preview is archived. You can read it but not change it.")}</Notice>
      ) : null}
      {isLocked && !preview.archivedAt ? (
        <Notice>{t("You can read this preview but not change it.")}</Notice>
      ) : null}
      {isBehind && !isMerging ? (
        <Notice tone="warning">
          <div className="flex flex-wrap items-center gap-3">
            <span className="flex-1">
              {t(
                "{login} saved version {version} while you were editing. Nothing of yours is lost: merge both sides' edits to save.",
                { login: preview.updatedBy.login, version: preview.version },
              )}
            </span>
            <Button size="small" onClick={edited.startMerge}>
              {t("Merge edits")}
            </Button>
          </div>
        </Notice>
      ) : null}
      {wasRestored && isDirty && !isBehind ? (
        <Notice tone="accent">{t("Unsaved edits restored from this device.")}</Notice>
      ) : null}
      {isDirty && !isKept ? (
        <Notice tone="warning">
          {t("This browser cannot store drafts. Save before you leave the page.")}
        </Notice>
      ) : null}
      {save.error && !isConflict ? (
        <CallFailed
          title={t("The preview was not saved; your edits are still here")}
          error={save.error}
        />
      ) : null}
    </div>
  );
}
