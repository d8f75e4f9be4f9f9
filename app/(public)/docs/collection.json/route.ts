import { collection } from "@/lib/catalogue/collection";
import { namedOperations } from "@/lib/catalogue/operations";
import { document } from "@/lib/http/document";
import { methods } from "@/lib/http/methods";
import { publicUrl } from "@/lib/protocol/settings";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  // Its examples have instants that lie a day back, or some days ahead.
  GET: document(() => collection(namedOperations, publicUrl()), { isKept: "today" }),
});
