/** How many of a connection's provisioning requests are kept. */
export const maxProvisioningRequests = 1000;

/** How long the token before stays valid at most, in days. */
export const maxTokenOverlapDays = 7;

/** How many groups one connection provisions. */
export const maxGroups = 1000;

/** How many members one of them has. */
export const maxGroupMembers = 5000;
