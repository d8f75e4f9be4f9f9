import { llmsText } from "@/lib/catalogue/guides/markdown";
import { textDocument } from "@/lib/http/document";
import { methods } from "@/lib/http/methods";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: textDocument({ contentType: "text/plain; charset=utf-8", create: llmsText, isKept: true }),
});
