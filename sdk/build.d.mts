/** Generates the types and methods of the client, which are not in git. */
export function generateSource(): Promise<void>;
/** Builds the package into a folder, by default "dist", and returns it. */
export function buildClient(outdir?: string): Promise<string>;
