export { accessRequests } from "./access-requests";
export { alertEntries, alerts } from "./alerts";
export { apiKeys, keyHandOffs, previousSecretUses } from "./api-keys";
export { auditCheckpoints, auditEvents, auditHeads } from "./audit";
export {
  connections,
  identities,
  provisionedGroupMembers,
  provisionedGroups,
  provisionedUsers,
  provisioningRequests,
  provisioningTokens,
  usedNonces,
} from "./connections";
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
export { auditStreams, webhookDeliveries, webhooks } from "./destinations";
export { idempotentAnswers } from "./idempotency";
export { mails } from "./mails";
export {
  chartMarkers,
  metricBatches,
  metricDays,
  metricMinutes,
  metricQuarters,
  metricQuartersCube,
  metricSeries,
  metricTails,
} from "./metrics";
export {
  previewComments,
  previewConfigurations,
  previewReleases,
  previewRevisions,
  previewShares,
} from "./previews";
export { refusedRequests } from "./requests";
export {
  codeFailures,
  recoveryCodes,
  secondFactors,
  signInChallenges,
  usedChallenges,
} from "./second-factors";
export { signingKeys, storeClock } from "./service";
export { knownNetworks, sessions } from "./sessions";
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
