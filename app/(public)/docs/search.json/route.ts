import { searchIndex } from "@/lib/catalogue/docs-search";
import { document } from "@/lib/http/document";
import { methods } from "@/lib/http/methods";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: document(searchIndex),
});
