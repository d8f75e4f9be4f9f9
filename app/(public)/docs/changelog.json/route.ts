import { changelog } from "@/lib/catalogue/changelog";
import { document } from "@/lib/http/document";
import { methods } from "@/lib/http/methods";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: document(changelog),
});
