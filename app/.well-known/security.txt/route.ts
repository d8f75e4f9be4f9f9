import { methods } from "@/lib/http/methods";
import { securityTxt } from "@/lib/server/health/documents";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: securityTxt });
