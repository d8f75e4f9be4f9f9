import { keySet } from "@/lib/access/signing-keys";
import { document } from "@/lib/api/document";
import { methods } from "@/lib/api/methods";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: document(keySet, { isKept: false }) });
