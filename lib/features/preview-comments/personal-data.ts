import { previewKeysOf } from "@/lib/features/previews/personal-data";
import type { OwnComment } from "./contract";
import { selectCommentsOf } from "./rows";
import { toComment } from "./service";

/** The comments that a user wrote on any site's preview configurations, oldest first, in parts of `partSize`. */
export async function* exportComments(
  of: { tenantId: string; userId: string },
  partSize: number,
): AsyncGenerator<OwnComment[]> {
  for (let after = ""; ; ) {
    const rows = await selectCommentsOf(of, after, partSize);
    const keys = await previewKeysOf(
      of.tenantId,
      rows.map(({ previewId }) => previewId),
    );
    yield rows.map((row) => {
      const { author: _, ...comment } = toComment(row);
      const { site = "", key = "" } = keys.get(row.previewId) ?? {};
      return { site, key, ...comment };
    });
    const last = rows.at(-1);
    if (rows.length < partSize || !last) return;
    after = last.commentId;
  }
}
