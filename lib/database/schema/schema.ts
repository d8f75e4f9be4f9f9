export { accessRequests } from "./access-requests";
export { alertEntries, alerts } from "./alerts";
export { apiKeys, keyHandOffs, previousSecretUses } from "./api-keys";
export { auditCheckpoints, auditEvents, auditHeads } from "./audit";
export { auditStreams } from "./audit-streams";
export { storeClock } from "./clock";
export { connections, identities, usedNonces } from "./connections";
export {
  customerImportChunks,
  customerImportResults,
  customerImports,
} from "./customer-imports";
export {
  consumerEndings,
  customerActivity,
  customerEmails,
  customerFamilies,
  customerPasswordTokens,
  customerSites,
  customers,
} from "./customers";
export { idempotentAnswers } from "./idempotency";
export { knownNetworks } from "./known-networks";
export { mails } from "./mails";
export { chartMarkers } from "./markers";
export {
  metricBatches,
  metricDays,
  metricMinutes,
  metricQuarters,
  metricQuartersCube,
  metricSeries,
  metricTails,
} from "./metrics";
export { previewReleases } from "./preview-releases";
export { previewComments, previewShares } from "./preview-sharing";
export { previewConfigurations, previewRevisions } from "./previews";
export {
  provisionedGroupMembers,
  provisionedGroups,
  provisionedUsers,
  provisioningRequests,
  provisioningTokens,
} from "./provisioning";
export { refusedRequests } from "./requests";
export {
  codeFailures,
  recoveryCodes,
  secondFactors,
  signInChallenges,
  usedChallenges,
} from "./second-factors";
export { sessions } from "./sessions";
export { signingKeys } from "./signing-keys";
export { sites, tenantQuotas, tenants } from "./tenants";
export {
  emailConfirmations,
  emergencyAdministrators,
  mailedLinks,
  memberships,
  noticeDismissals,
  passwordLinks,
  roleAssignments,
  users,
} from "./users";
export { defaultViews, savedViews } from "./views";
export { webhookDeliveries, webhooks } from "./webhooks";
