import { methods } from "@/lib/api/methods";
import { readiness } from "@/lib/health/documents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: readiness });
