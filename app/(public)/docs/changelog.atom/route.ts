import { changelogFeed } from "@/lib/catalogue/changelog";
import { textDocument } from "@/lib/http/document";
import { methods } from "@/lib/http/methods";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: textDocument({ contentType: "application/atom+xml", create: changelogFeed, isKept: true }),
});
