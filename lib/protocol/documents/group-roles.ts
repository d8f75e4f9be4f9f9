/** The roles of the members of an identity provider's group. A connection has a list of these. */
export interface GroupRoles {
  /** The name, exactly as the provider writes it. */
  group: string;
  roles: { roleIds: string[]; sites: Record<string, { roleIds: string[] }> };
  /** Ticked by a tenant.admin: without it the group gives neither tenant.admin nor portal.users.mgmt. */
  grantsAdministration: boolean;
}
