import { scim } from "@/lib/features/connections/provisioning/scim/serve";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scim();
