/** Which roles the members of a group of an identity provider have here. A connection keeps a list of it. */
export interface GroupRoles {
  /** The name, exactly as the provider writes it. */
  group: string;
  roles: { roleIds: string[]; sites: Record<string, { roleIds: string[] }> };
  /** Ticked by a tenant.admin: without it the group gives neither tenant.admin nor portal.users.mgmt. */
  grantsAdministration: boolean;
}
