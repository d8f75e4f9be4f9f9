import { notFound } from "next/navigation";
import type { PreviewDocument } from "@/components/previews/keys";
import type { Caller } from "@/lib/access/caller";
import { findContent } from "@/lib/features/previews/find";
import { getPreview } from "@/lib/features/previews/list";
import { ApiError } from "@/lib/protocol/errors";

/** The configuration that the address names, with its metadata; otherwise renders a 404 page. */
export async function readDocument(
  caller: Caller,
  site: string,
  key: string,
): Promise<PreviewDocument> {
  if (caller.siteId !== site) notFound();
  try {
    const [preview, { content, hash }] = await Promise.all([
      getPreview(caller, key),
      findContent(caller, key),
    ]);
    return { preview, text: content.toString("utf8"), etag: `"${hash}"` };
  } catch (error) {
    if (error instanceof ApiError && error.code === "preview.not-found") notFound();
    throw error;
  }
}
