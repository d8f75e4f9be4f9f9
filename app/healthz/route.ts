import { methods } from "@/lib/http/methods";
import { liveness } from "@/lib/server/health/documents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: liveness });
