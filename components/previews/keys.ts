import type { Preview } from "@/lib/features/previews/contract";

/** A stored configuration: its text, the ETag of the text, and its metadata. */
export interface PreviewDocument {
  preview: Preview;
  text: string;
  etag: string;
}

/** The key prefix of a site's previews in the query cache. */
export const siteKey = (tenant: string, site: string) => [tenant, "previews", site];
export const listKey = (tenant: string, site: string) => [tenant, "previews", site, "list"];
export const deletedKey = (tenant: string, site: string) => [tenant, "previews", site, "deleted"];
export const documentKey = (tenant: string, site: string, key: string) => [
  tenant,
  "previews",
  site,
  "document",
  key,
];
export const commentsKey = (tenant: string, site: string, key: string) => [
  tenant,
  "previews",
  site,
  "comments",
  key,
];
export const revisionsKey = (tenant: string, site: string, key: string) => [
  tenant,
  "previews",
  site,
  "revisions",
  key,
];
export const problemsKey = (tenant: string, site: string, text: string) => [
  tenant,
  "previews",
  site,
  "problems",
  text,
];
