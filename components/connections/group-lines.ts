import type { GroupRoles } from "@/lib/protocol/documents/group-roles";

/** A line as the dialog edits it: its roles are one list, each with its place. "" is the whole tenant. */
export interface GroupLine {
  /** The React key of the line. */
  id: string;
  group: string;
  cells: readonly { place: string; roleId: string }[];
  grantsAdministration: boolean;
}

export const guardedRoles: readonly string[] = ["tenant.admin", "portal.users.mgmt"];

export const givesGuarded = ({ cells }: GroupLine) =>
  cells.some(({ roleId }) => guardedRoles.includes(roleId));

export const toLine = ({ group, roles, grantsAdministration }: GroupRoles): GroupLine => ({
  id: crypto.randomUUID(),
  group,
  cells: [
    ...roles.roleIds.map((roleId) => ({ place: "", roleId })),
    ...Object.entries(roles.sites).flatMap(([place, { roleIds }]) =>
      roleIds.map((roleId) => ({ place, roleId })),
    ),
  ],
  grantsAdministration,
});

export const newLine = (): GroupLine => ({
  ...{ id: crypto.randomUUID(), group: "", cells: [{ place: "", roleId: "portal.default" }] },
  grantsAdministration: false,
});

/** Converts the line to the request's format. The checkbox counts only when it is shown. */
export function fromLine(line: GroupLine): GroupRoles {
  const { group, cells } = line;
  const at = (wanted: string) => [
    ...new Set(cells.filter(({ place }) => place === wanted).map(({ roleId }) => roleId)),
  ];
  const sites = [...new Set(cells.map(({ place }) => place))].filter((place) => place !== "");
  return {
    group,
    roles: {
      roleIds: at(""),
      sites: Object.fromEntries(sites.map((site) => [site, { roleIds: at(site) }])),
    },
    grantsAdministration: givesGuarded(line) && line.grantsAdministration,
  };
}
