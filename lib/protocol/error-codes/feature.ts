import { type CodeEntry, code } from "./entry";

/** Codes of users, customers, previews, metrics and the rest of the features. */
export const featureCodes = {
  "user.locked": code(
    403,
    "The user is locked.",
    "Ask somebody who has the permission user.manage to unlock the user, whose id is in reason.",
  ),
  "user.deactivated": code(
    403,
    "The user is deactivated.",
    "Ask somebody who has the permission in reason to reactivate the user.",
  ),
  "user.no-role": code(
    403,
    "The user has no role here.",
    "Ask an administrator of the tenant for a role; reason names the least.",
  ),
  "user.other-home": code(
    403,
    "The user belongs to another tenant.",
    "Do this in the user's home tenant, named in reason.",
  ),
  "user.not-found": code(404, "There is no such user in this tenant.", "Check the id."),
  "user.login-taken": code(409, "The login is in use in this tenant.", "Choose another login."),
  "user.last-admin": code(
    409,
    "The tenant would be left without an administrator.",
    "Make another user tenant.admin first.",
  ),
  "user.oneself": code(
    403,
    "This cannot be done to one's own user, such as raising one's own roles.",
    "Ask somebody else who has the permission in reason.",
  ),
  "user.system": code(
    403,
    "Only a system user may change a system user, and nobody locks, demotes or deactivates one.",
    "Ask the operator of the platform: reason says that this is one of its own users.",
  ),
  "user.admin-only": code(
    403,
    "Only a tenant.admin touches a tenant.admin.",
    "Ask somebody who holds the role in reason.",
  ),
  "user.session-only": code(
    403,
    "An API key cannot do this to a user.",
    "Use a session for what reason names: whoever had the key could sign in as the user afterwards.",
  ),
  "user.not-deactivated": code(
    409,
    "Only a deactivated user can be erased.",
    "Deactivate the user first: the erasure cannot be undone.",
  ),
  "user.erased": code(
    409,
    "The user was erased to an id.",
    "Invite the person anew: nothing of the old user can be restored.",
  ),
  "notice.not-found": code(
    404,
    "You have no such notice.",
    "Notices are kept for 30 days. List them again.",
  ),
  "user.no-password": code(
    409,
    "The user is a program and has no password.",
    "Make an API key for it instead.",
  ),
  "user.not-service": code(
    409,
    "Keys are made for service users only.",
    "A person generates keys on the own page.",
  ),
  "customer.locked": code(
    403,
    "The customer's account is locked.",
    "Ask the shop's customer care, which has the permission in reason.",
  ),
  "customer.registration-closed": code(
    403,
    "The shop lets nobody register.",
    "Who has the permission in reason may allow it in the tenant's security policy.",
  ),
  "customer.login-taken": code(
    409,
    "The login is in use at this shop.",
    "Sign in, or choose another login.",
  ),
  "customer.last-site": code(
    409,
    "The customer belongs to this site alone.",
    "Add the customer to another site first; only the customer can delete the account.",
  ),
  "customer.other-sites": code(
    403,
    "The customer also belongs to sites at which you do not have the permission.",
    "Ask somebody who has the permission in reason at each of the customer's sites.",
  ),
  "customer.password-token-session-only": code(
    403,
    "API keys may not create password tokens in this tenant.",
    "Use a session, or ask somebody who has the permission in reason to allow it in the tenant's security policy.",
  ),
  "customer.not-found": code(
    404,
    "There is no such customer at this site.",
    "Check the id and the site.",
  ),
  "refusal.not-found": code(
    404,
    "There is no such request among the refused ones.",
    "They are kept for seven days. Search by the request id.",
  ),
  "preview.not-found": code(
    404,
    "There is no such preview configuration.",
    "Check the key and the site. PUT never creates one: use POST /pim/preview.",
  ),
  "preview.key-taken": code(
    409,
    "The site has a preview configuration of this key.",
    "Choose another key, or update the one there is.",
  ),
  "preview.archived": code(
    409,
    "The preview configuration is archived.",
    "Take it out of the archive first.",
  ),
  "preview.share-not-found": code(
    404,
    "The preview configuration has no such share.",
    "Check the id. Shares are deleted when they are revoked, and 30 days after they expired.",
  ),
  "preview.comment-not-found": code(
    404,
    "The preview configuration has no such comment.",
    "Check the id. List the comments again.",
  ),
  "preview.comment-of-other": code(
    403,
    "Somebody else wrote the comment.",
    "Only its author changes a comment. Whoever has the permission in reason deletes any.",
  ),
  "preview.limit-reached": code(
    409,
    "The preview configuration has as many shares or comments as it may have.",
    "Revoke shares or delete comments first: reason says which.",
  ),
  "release.not-found": code(
    404,
    "There is no such release at this site.",
    "Releases are kept for 90 days after their end. Check the id and the site.",
  ),
  "release.ended": code(409, "The release was published or cancelled.", "Create another release."),
  "release.conflict": code(
    409,
    "Configurations are not as the release was made for: changed, archived or deleted.",
    "Look at the configurations in reason, then give the release its entries again.",
  ),
  "audit-stream.rotation-in-progress": code(
    409,
    "The secret before the last rotation of the audit stream is still valid.",
    'Rotate after the instant in `reason`, or send `"force": true` to end that secret now.',
  ),
  "audit-stream.not-found": code(
    404,
    "There is no such audit stream in this tenant.",
    "Check the id.",
  ),
  "audit-stream.not-signed": code(
    409,
    "The audit stream signs nothing.",
    "Only streams of the kind https have a secret that can be rotated.",
  ),
  "webhook.rotation-in-progress": code(
    409,
    "The secret before the last rotation of the webhook is still valid.",
    'Rotate after the instant in `reason`, or send `"force": true` to end that secret now.',
  ),
  "webhook.not-found": code(404, "There is no such webhook in this tenant.", "Check the id."),
  "webhook.delivery-not-found": code(
    404,
    "The webhook has no such delivery.",
    "Deliveries are kept for 30 days. Check the id, which is that of the event.",
  ),
  "customer.import-running": code(
    409,
    "Another import of customers is not at its end.",
    "Wait for the import in reason, or cancel it.",
  ),
  "customer.import-ended": code(
    409,
    "The import has ended.",
    "Read its results; the customers that it created stay.",
  ),
  "customer.import-not-found": code(
    404,
    "There is no such import at this site.",
    "Imports are kept for 30 days. Check the id and the site.",
  ),
  "alert.not-found": code(404, "There is no such alert in this tenant.", "Check the id."),
  "alert.not-firing": code(
    409,
    "The alert is not firing.",
    "Only a firing alert can be acknowledged.",
  ),
  "marker.not-found": code(
    404,
    "No marker with this id was reported in this tenant.",
    "Check the id. Markers are kept for 400 days; what is read from the audit trail is none.",
  ),
  "marker.of-other": code(
    403,
    "Somebody else reported the marker.",
    "Ask whoever reported it, or somebody with the permission in reason.",
  ),
  "view.not-found": code(
    404,
    "There is no such saved view in this tenant.",
    "Check the id. List the views again: it may have been deleted, or be shared no more.",
  ),
  "view.of-other": code(
    403,
    "Somebody else made the shared view.",
    "Save it as your own, or ask its maker or whoever has the role in reason.",
  ),
  "view.limit-reached": code(
    409,
    "There are as many saved views as there may be.",
    "Delete some first: reason says whether your own or shared ones.",
  ),
  "metrics.range-exceeds-retention": code(
    400,
    "The range begins before the counts that this question needs are kept.",
    "Begin later, ask for longer periods or group by less. reason holds the parameter and the smallest period that fits.",
  ),
  "metrics.too-many-values": code(
    400,
    "The answer would have too many values.",
    "Ask for longer periods or a shorter range. reason holds the parameter and the smallest period that fits.",
  ),
  "metrics.batch-id-reused": code(
    409,
    "The batch id was used with other content.",
    "Use a new batchId for new cells.",
  ),
} as const satisfies Record<string, CodeEntry>;
