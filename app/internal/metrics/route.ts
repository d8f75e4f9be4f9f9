import { methods } from "@/lib/api/methods";
import { measurements } from "@/lib/health/documents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: measurements });
