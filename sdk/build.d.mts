/** Builds the package into a folder, "dist" where none is named, and returns it. */
export function buildClient(outdir?: string): Promise<string>;
