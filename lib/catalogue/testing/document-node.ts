/** A part of an OpenAPI document. */
// biome-ignore lint/suspicious/noExplicitAny: it is whatever the document holds.
export type DocumentNode = any;
