import { collection } from "@/lib/catalogue/collection";
import { namedOperations } from "@/lib/catalogue/operations";
import { document } from "@/lib/http/document";
import { methods } from "@/lib/http/methods";
import { publicUrl } from "@/lib/protocol/settings";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  // Its examples have times of the day before or some days in the future, so it is cached for the current day.
  GET: document(() => collection(namedOperations, publicUrl()), { isKept: "today" }),
});
