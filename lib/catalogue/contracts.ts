import type * as alerts from "@/lib/features/alerts/contract";
import type * as apiKeys from "@/lib/features/api-keys/contract";
import type * as keyHandOffs from "@/lib/features/api-keys/hand-offs/contract";
import type * as keyManagement from "@/lib/features/api-keys/managing-contract";
import type * as audit from "@/lib/features/audit/contract";
import type * as connections from "@/lib/features/connections/contract";
import type * as groupRoles from "@/lib/features/connections/group-contract";
import type * as identities from "@/lib/features/connections/identity-contract";
import type * as provisioning from "@/lib/features/connections/provisioning/contract";
import type * as customers from "@/lib/features/customers/contract";
import type * as customerImports from "@/lib/features/customers/imports/contract";
import type * as customerManaging from "@/lib/features/customers/managing-contract";
import type * as customerCare from "@/lib/features/customers/staff-contract";
import type * as auditStreams from "@/lib/features/destinations/audit-streams/contract";
import type * as webhooks from "@/lib/features/destinations/webhooks/contract";
import type * as webhookDeliveries from "@/lib/features/destinations/webhooks/deliveries-contract";
import type * as events from "@/lib/features/events/contract";
import type * as metrics from "@/lib/features/metrics/contract";
import type * as markers from "@/lib/features/metrics/markers/contract";
import type * as notices from "@/lib/features/notices/contract";
import type * as previewComments from "@/lib/features/previews/comments/contract";
import type * as previews from "@/lib/features/previews/contract";
import type * as previewReleases from "@/lib/features/previews/releases/contract";
import type * as previewShares from "@/lib/features/previews/shares/contract";
import type * as privacy from "@/lib/features/privacy/contract";
import type * as quotas from "@/lib/features/quotas/contract";
import type * as requests from "@/lib/features/request-log/contract";
import type * as sessions from "@/lib/features/sessions/contract";
import type * as secondFactors from "@/lib/features/sessions/second-factors/contract";
import type * as passkeys from "@/lib/features/sessions/second-factors/passkey-contract";
import type * as signInSteps from "@/lib/features/sessions/steps-contract";
import type * as tenants from "@/lib/features/tenants/contract";
import type * as securityPolicy from "@/lib/features/tenants/policy-contract";
import type * as sites from "@/lib/features/tenants/sites-contract";
import type * as accessRequests from "@/lib/features/users/access-requests-contract";
import type * as userAdministration from "@/lib/features/users/administration-contract";
import type * as users from "@/lib/features/users/contract";
import type * as emergencyAdministrators from "@/lib/features/users/emergency-contract";
import type * as passwordLinks from "@/lib/features/users/password-links-contract";
import type * as views from "@/lib/features/views/contract";
import type * as access from "./access-contract";

/** Everything that the contracts export: types only, so that no schema reaches a browser. */
export type Contracts = typeof previews &
  typeof previewReleases &
  typeof keyHandOffs &
  typeof previewShares &
  typeof previewComments &
  typeof customers &
  typeof customerCare &
  typeof customerManaging &
  typeof customerImports &
  typeof apiKeys &
  typeof keyManagement &
  typeof tenants &
  typeof sites &
  typeof quotas &
  typeof securityPolicy &
  typeof connections &
  typeof provisioning &
  typeof groupRoles &
  typeof identities &
  typeof audit &
  typeof auditStreams &
  typeof events &
  typeof webhooks &
  typeof webhookDeliveries &
  typeof access &
  typeof requests &
  typeof metrics &
  typeof alerts &
  typeof markers &
  typeof views &
  typeof secondFactors &
  typeof passkeys &
  typeof signInSteps &
  typeof sessions &
  typeof userAdministration &
  typeof accessRequests &
  typeof emergencyAdministrators &
  typeof passwordLinks &
  typeof notices &
  typeof privacy &
  typeof users;
