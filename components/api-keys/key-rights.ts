import { t } from "@/components/texts/t";

/** The limits of a key; empty lists mean all of its owner's rights. */
export interface Limits {
  permissions: string[];
  sites: string[];
}

/** An operation that accepts API keys, and whether this person's roles allow it. */
export interface CallableOperation {
  operation: string;
  allowed: boolean;
  permission?: string | undefined;
  /** The permissions that include it, each of which a key may name instead. Empty when any key may call it. */
  includedIn: readonly string[];
  /** Roles at a site and keys limited to sites are not sufficient. */
  isTenantWide: boolean;
  /** The key's own list must include the permission. */
  mustBeNamed: boolean;
  /** Keys of people are rejected. */
  forProgramsOnly: boolean;
}

/** The reason why a key with these limits cannot call an operation; undefined when it can. */
export function whyNot(one: CallableOperation, limits: Limits): string | undefined {
  if (one.forProgramsOnly) return t("needs a key of a service user");
  if (!one.allowed) return t("needs {permission}", { permission: one.permission ?? "" });
  if (one.includedIn.length === 0) return undefined;
  const isNamed = limits.permissions.some((permission) => one.includedIn.includes(permission));
  if (one.mustBeNamed && !isNamed)
    return t("tick {permission}", { permission: one.permission ?? "" });
  if (limits.permissions.length > 0 && !isNamed)
    return t("tick {permission}", { permission: one.permission ?? "" });
  if (limits.sites.length > 0 && one.isTenantWide) return t("needs a key of all sites");
  return undefined;
}

/** The permissions that this user's key can be limited to: those that let it call an operation. */
export const permissionChoices = (callable: readonly CallableOperation[]): string[] =>
  [
    ...new Set(
      callable.flatMap(({ allowed, forProgramsOnly, permission, includedIn }) =>
        allowed && !forProgramsOnly && permission && includedIn.length > 0 ? [permission] : [],
      ),
    ),
  ].sort();

/** The number of operations that a key with these limits can call, that more permissions would add, and that need a service user's key. */
export function countCallable(callable: readonly CallableOperation[], limits: Limits) {
  const unable = callable.filter((one) => whyNot(one, limits) !== undefined);
  const forPrograms = unable.filter(({ forProgramsOnly }) => forProgramsOnly).length;
  const named = { permissions: permissionChoices(callable), sites: limits.sites };
  const more = unable.filter((one) => whyNot(one, named) === undefined).length;
  return { now: callable.length - unable.length, more, forPrograms };
}

export interface KeyPreset {
  name: string;
  hint: string;
  limits: Limits;
}

const none: Limits = { permissions: [], sites: [] };
const previews = ["preview.configuration.read", "preview.configuration.write"];

/** Common sets of limits, reduced to what this user can grant. */
export function keyPresets(
  callable: readonly CallableOperation[],
  sites: readonly string[],
): KeyPreset[] {
  const choices = permissionChoices(callable);
  const reading = choices.filter((one) => one.endsWith(".read"));
  const [site] = sites;
  const given = (wanted: readonly string[]) => wanted.filter((one) => choices.includes(one));
  const all: KeyPreset[] = [
    {
      name: t("All a personal key may do"),
      hint: t("No limits"),
      limits: { permissions: [], sites: [] },
    },
    {
      name: t("Read-only"),
      hint: t("Changes nothing"),
      limits: { permissions: reading, sites: [] },
    },
    {
      name: t("Metrics only"),
      hint: t("Reads metrics of API calls"),
      limits: { permissions: given(["api-metric.read"]), sites: [] },
    },
    {
      name: t("Previews of one site"),
      hint: site === undefined ? "" : t("Reads and writes previews of {site}", { site }),
      limits: site === undefined ? none : { permissions: given(previews), sites: [site] },
    },
  ];
  const [everything, ...narrower] = all;
  const useful = narrower.filter(({ limits }) => limits.permissions.length > 0);
  return everything ? [everything, ...useful] : useful;
}

const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one) => b.includes(one));

export const isPreset = ({ limits }: KeyPreset, chosen: Limits): boolean =>
  same(limits.permissions, chosen.permissions) && same(limits.sites, chosen.sites);
