import { firstPage, unlessRejected } from "@/app/(portal)/first-page";
import { mayWrite } from "@/app/(portal)/t/[tenant]/sites/[site]/previews/may-write";
import { HistoryView } from "@/components/previews/history-view";
import { commentsKey, documentKey, revisionsKey } from "@/components/previews/keys";
import { PreviewEditor } from "@/components/previews/preview-editor";
import { Seeds } from "@/components/shell/seed";
import type { Caller } from "@/lib/access/caller";
import * as comments from "@/lib/features/previews/comments/contract";
import { listComments } from "@/lib/features/previews/comments/service";
import * as contract from "@/lib/features/previews/contract";
import { findRevision, listRevisions } from "@/lib/features/previews/list";
import { readDocument } from "./read-document";

/** The site and key of a preview. */
interface Place {
  site: string;
  key: string;
}

/** The editor of a preview with its comments. */
export async function editorFor(caller: Caller, { site, key }: Place) {
  const { tenantId } = caller;
  const list = (_: unknown, query: { limit: number }) => listComments(caller, key, query);
  const document = await readDocument(caller, site, key);
  const said = await firstPage(caller, comments.listPreviewComments, list, { limit: "200" });
  return (
    <Seeds
      entries={[
        [documentKey(tenantId, site, key), document],
        [commentsKey(tenantId, site, key), said?.pages[0].items],
      ]}
    >
      <PreviewEditor
        key={`${site}/${key}`}
        site={site}
        mayWrite={mayWrite(caller)}
        previewKey={key}
      />
    </Seeds>
  );
}

/** The history of a preview with its newest revisions; it compares the last two. */
export async function historyFor(caller: Caller, { site, key }: Place) {
  const { tenantId } = caller;
  const list = (_: unknown, query: { limit: number }) => listRevisions(caller, key, query);
  const document = await readDocument(caller, site, key);
  const found = await firstPage(caller, contract.listPreviewRevisions, list, { limit: "50" });
  const pages = found?.pages.map(({ items, next }) => ({ revisions: items, next: next ?? "" }));
  const [{ n: newest } = { n: 1 }] = (found?.pages[0].items ?? []) as { n: number }[];
  const compared = [Math.max(1, newest - 1), newest].map(async (n) => {
    const seen = await unlessRejected(findRevision(caller, key, String(n)));
    const text = seen?.content.toString("utf8");
    return [[...revisionsKey(tenantId, site, key), n], text] as const;
  });
  return (
    <Seeds
      entries={[
        [documentKey(tenantId, site, key), document],
        [revisionsKey(tenantId, site, key), pages && { pages, pageParams: found?.pageParams }],
        ...(await Promise.all(compared)),
      ]}
    >
      <HistoryView site={site} mayWrite={mayWrite(caller)} previewKey={key} />
    </Seeds>
  );
}
