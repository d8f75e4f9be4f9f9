/** Writes the types and methods of the client, which git does not keep. */
export function generateSource(): Promise<void>;
/** Builds the package into a folder, "dist" where none is named, and returns it. */
export function buildClient(outdir?: string): Promise<string>;
