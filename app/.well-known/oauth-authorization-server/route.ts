import { serverMetadata } from "@/lib/features/verification/metadata";
import { document } from "@/lib/http/document";
import { methods } from "@/lib/http/methods";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: document(serverMetadata),
});
