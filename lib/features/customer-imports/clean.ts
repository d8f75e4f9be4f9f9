import { cleanEnded } from "./rows";
import { keptImportDays } from "./values";

const dayMs = 86_400_000;

/** Deletes imports that ended long ago, and lines that a cancelled one left. */
export const forgetOldImports = (tenantId: string, now: Date): Promise<void> =>
  cleanEnded(tenantId, new Date(now.getTime() - keptImportDays * dayMs));
