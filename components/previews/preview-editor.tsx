"use client";

import { useQuery } from "@tanstack/react-query";
import type { Node } from "jsonc-parser";
import { Suspense } from "react";
import { usePortal } from "@/components/shell/portal";
import { msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { lazyPart } from "@/components/ui/lazy-part";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { CallError } from "@/lib/catalogue/client";
import type { Preview } from "@/lib/features/previews/contract";
import { CommentsPanel } from "./comments-panel";
import { type EditedDocument, useEditedDocument } from "./edited-document";
import { EditorHeader } from "./editor-header";
import { EditorPanes } from "./editor-panes";
import type { PreviewDocument } from "./keys";
import { LeaveGuard } from "./leave-guard";
import { usePreviewDocument } from "./preview-queries";
import { useProblems } from "./problems";

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

/** Notices about the user's edits. */
function EditorNotices({ preview, edited, isLocked, readError }: EditorNoticesProps) {
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

const MergeView = lazyPart(() => import("./merge-view").then((module) => module.MergeView), {
  kind: "panel",
});

interface PreviewEditorProps {
  site: string;
  previewKey: string;
  mayWrite: boolean;
}

/** One configuration: its form and its JSON, two views of one text, next to its page. */
export function PreviewEditor({ site, previewKey, mayWrite }: PreviewEditorProps) {
  const { data, error } = useQuery(usePreviewDocument(site, previewKey));
  if (!data) return <Skeleton className="h-96" />;
  return (
    <LoadedEditor
      site={site}
      previewKey={previewKey}
      mayWrite={mayWrite}
      server={data}
      readError={error}
    />
  );
}

interface LoadedEditorProps extends PreviewEditorProps {
  server: PreviewDocument;
  readError: Error | null;
}

function LoadedEditor({ site, previewKey, mayWrite, server, readError }: LoadedEditorProps) {
  const { view } = usePortal();
  const edited = useEditedDocument(site, previewKey, server);
  const isLocked = !mayWrite || server.preview.archivedAt !== null;
  const { root, problems } = useProblems(site, edited.text, mayWrite, server.preview.problems);
  const maySave =
    !isLocked && edited.isDirty && !edited.isBehind && !problems.some(({ isFatal }) => isFatal);
  const save = () => {
    if (maySave && !edited.save.isPending)
      edited.save.mutate({ text: edited.text, etag: edited.base.etag });
  };
  return (
    <>
      <EditorHeader
        site={site}
        preview={server.preview}
        edited={edited}
        mayWrite={mayWrite}
        maySave={maySave}
        onSave={save}
      />
      <EditorNotices
        preview={server.preview}
        edited={edited}
        isLocked={isLocked}
        readError={readError}
      />
      {edited.isMerging ? (
        <Merge edited={edited} server={server} />
      ) : (
        <EditorPanes
          text={edited.text}
          base={edited.base.text}
          root={root}
          problems={problems}
          readOnly={isLocked}
          onChange={edited.change}
          onSave={save}
          origin={view.origin}
          below={(place, onPlace) => {
            const pointers = pointersOf(root);
            return <CommentsPanel {...{ site, previewKey, mayWrite, pointers, place, onPlace }} />;
          }}
        />
      )}
      {edited.isDirty && !isLocked ? <LeaveGuard isKept={edited.isKept} /> : null}
    </>
  );
}

const maxPointers = 100;

/** JSON Pointers to the members of the configuration. */
function pointersOf(root: Node | undefined): string[] {
  const names = (root?.children ?? []).map(({ children }) => String(children?.[0]?.value));
  return names
    .slice(0, maxPointers)
    .map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
}

function Merge({ edited, server }: { edited: EditedDocument; server: PreviewDocument }) {
  const { view } = usePortal();
  const { login } = server.preview.updatedBy;
  return (
    <Suspense fallback={<Skeleton className="h-64" />}>
      <MergeView
        base={edited.base.text}
        yours={edited.text}
        theirs={edited.served}
        author={login === view.user.login ? undefined : login}
        onMerged={edited.takeMerged}
        onCancel={edited.stopMerge}
      />
    </Suspense>
  );
}
