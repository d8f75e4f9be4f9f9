import { methods } from "@/lib/api/methods";
import { liveness } from "@/lib/health/documents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: liveness });
