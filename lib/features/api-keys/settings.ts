import type { z } from "zod";
import { isRangeWithin } from "@/lib/access/address-ranges";
import type { apiKeys } from "@/lib/database/schema/schema";
import type { AuditChanges } from "@/lib/protocol/documents/audit-entry";
import { durationText } from "@/lib/protocol/durations";
import type { ApiKey, KeyLimitsChange } from "./contract";

type Row = typeof apiKeys.$inferSelect;
type Given = z.output<typeof KeyLimitsChange>;
type Name = keyof Given;

/** One setting of a key in addition to its name and expiry; null and undefined remove it. */
interface Setting<Of extends Name> {
  /** The columns that store it. */
  columns(given: Given[Of] | undefined): Partial<Row>;
  /** Its value in responses and audit entries. */
  shown(row: Row): ApiKey[Of];
  /** Whether the given value permits more than the current one; null removes the limit. */
  isLooser(row: Row, given: Given[Of] | null): boolean;
}

/** To add a setting, add an entry here, its column and its schema. */
const settings: { [Of in Name]: Setting<Of> } = {
  rateLimit: {
    columns: (given) => ({
      rateLimit: given?.limit ?? null,
      rateWindowSeconds: given?.window ?? null,
    }),
    shown: ({ rateLimit: limit, rateWindowSeconds: seconds }) =>
      limit !== null && seconds !== null ? { limit, window: durationText(seconds) } : null,
    isLooser: ({ rateLimit: limit, rateWindowSeconds: seconds }, given) =>
      limit !== null &&
      seconds !== null &&
      // A window of another length, even a longer one, restarts the count.
      (!given || given.limit > limit || given.window !== seconds),
  },
  allowedAddresses: {
    columns: (given) => ({ allowedAddresses: given ? [...new Set(given)] : null }),
    shown: ({ allowedAddresses }) => allowedAddresses,
    isLooser: ({ allowedAddresses: now }, given) =>
      now !== null &&
      (!given || given.some((range) => !now.some((one) => isRangeWithin(range, one)))),
  },
};

const names = Object.keys(settings) as Name[];

function columnsOf<Of extends Name>(name: Of, given: Given): Partial<Row> {
  const { columns }: Setting<Of> = settings[name];
  const value: Given[Of] | undefined = given[name];
  return value === undefined ? {} : columns(value);
}

function isLooser<Of extends Name>(name: Of, row: Row, given: Given): boolean {
  const value: Given[Of] | undefined = given[name];
  const setting: Setting<Of> = settings[name];
  return value !== undefined && setting.isLooser(row, value);
}

/** Whether a change of settings lets the key be used more often, or from elsewhere. */
export const isLoosened = (row: Row, given: Given): boolean =>
  names.some((name) => isLooser(name, row, given));

/** The columns of the given settings; null removes a setting. */
export const settingColumns = (given: Given): Partial<Row> =>
  Object.assign({}, ...names.map((name) => columnsOf(name, given)));

/** The settings as they appear in responses. */
export const shownSettings = (row: Row): Pick<ApiKey, Name> =>
  Object.assign({}, ...names.map((name) => ({ [name]: settings[name].shown(row) })));

/** The columns of a change of a key's settings: a window of another length restarts the count. */
export function changedSettingColumns(row: Row, given: Given): Partial<Row> {
  const columns = settingColumns(given);
  const { rateWindowSeconds } = columns;
  const isOther = rateWindowSeconds !== undefined && rateWindowSeconds !== row.rateWindowSeconds;
  return { ...columns, ...(isOther && { rateWindow: null, rateTaken: null }) };
}

const noSettings = Object.assign({}, ...names.map((name) => settings[name].columns(null))) as Row;

/** The audit changes for a change of settings, or for the settings of a new key; empty if none changed. */
export function settingChanges(given: Given, before: Row = noSettings): AuditChanges {
  const after = { ...before, ...settingColumns(given) };
  return Object.fromEntries(
    names.flatMap((name) => {
      const [from, to] = [settings[name].shown(before), settings[name].shown(after)];
      if (JSON.stringify(from ?? null) === JSON.stringify(to ?? null)) return [];
      return [[name, { ...(from ? { before: from } : {}), ...(to ? { after: to } : {}) }]];
    }),
  );
}
