import { guideAsMarkdown } from "@/lib/catalogue/guides/markdown";
import { textDocument } from "@/lib/http/document";
import { methods } from "@/lib/http/methods";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: textDocument({
    contentType: "text/markdown; charset=utf-8",
    create: guideAsMarkdown,
    isKept: false,
  }),
});
