/** Where an import is; the last two are its end. */
export const importStates = ["receiving", "queued", "running", "done", "cancelled"] as const;

export const maxImportBytes = 1024 ** 3;
export const maxLineBytes = 256 * 1024;
/** Of one file: each takes time, and says nothing. */
export const maxEmptyLines = 10_000;
/** How many imports of a tenant are kept, the open one included. */
export const keptImports = 100;
export const keptImportDays = 30;
