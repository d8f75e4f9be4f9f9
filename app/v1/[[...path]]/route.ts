import { nothing } from "@/lib/api/methods";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nothing();
