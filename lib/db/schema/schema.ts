export { apiKeys } from "./api-keys";
export { auditEvents } from "./audit";
export { idempotentAnswers } from "./idempotency";
export { sessions } from "./sessions";
export { sites, tenants } from "./tenants";
export { roleAssignments, users } from "./users";
