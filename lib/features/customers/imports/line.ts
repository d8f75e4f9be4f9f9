import type { z } from "zod";
import { importFault } from "@/lib/access/password-hashes";
import { newId } from "@/lib/database/ids";
import { type ImportedRow, noPassword } from "@/lib/features/customers/create";
import { newDetails } from "@/lib/features/customers/profile-rows";
import type { ImportResult } from "@/lib/protocol/documents/import-result";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { parseJson } from "@/lib/protocol/json";
import { checkBody } from "@/lib/protocol/validation";
import { maxLineBytes, tooLongLine } from "./batches";
import { ImportedCustomer } from "./contract";

/** The rules for the lines of an import. */
export interface LineRules {
  /** The default site of a line. */
  siteId: string;
  siteIds: ReadonlySet<string>;
  now: Date;
  /** The maximum cost of a password hash, as a multiple of the service's default. */
  maxHashCost: number;
}

export interface ParsedLine {
  line: number;
  row: ImportedRow;
}

type Given = z.output<typeof ImportedCustomer>;

const problem = (pointer: string, detail: string) => invalid([{ pointer, detail }]);

/** Drops null values, which exports write for absent fields. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
}

function assertAllowed({ siteIds = [], registrationDate, passwordHash }: Given, rules: LineRules) {
  const wrong = siteIds.findIndex((siteId) => !rules.siteIds.has(siteId));
  if (wrong !== -1)
    throw problem(
      `/siteIds/${wrong}`,
      "There is no such site, or customers cannot be managed there.",
    );
  if (registrationDate && registrationDate > rules.now)
    throw problem("/registrationDate", "/registrationDate must not be in the future.");
  const fault =
    passwordHash === undefined ? undefined : importFault(passwordHash, rules.maxHashCost);
  if (fault) throw problem("/passwordHash", fault);
}

function parse(bytes: Buffer, rules: LineRules): ImportedRow {
  if (bytes.equals(tooLongLine))
    throw new ApiError("request.body-too-large", `A line may have at most ${maxLineBytes} bytes.`);
  const value = withoutNulls(parseJson(bytes));
  const checked = checkBody(ImportedCustomer, value);
  if (checked.problems) throw invalid(checked.problems);
  const { id: _, siteIds, registrationDate, passwordHash, ...profile } = checked.value;
  const { login } = profile;
  assertAllowed(checked.value, rules);
  return {
    customerId: newId("cust"),
    login,
    loginKey: labelKey(login),
    siteIds: [...new Set(siteIds ?? [rules.siteId])],
    registeredAt: registrationDate ?? rules.now,
    passwordHash: passwordHash ?? noPassword,
    details: newDetails(profile),
  };
}

/** The stored result of a rejected line: only field names, never values of the line. */
function rejection(line: number, error: ApiError): ImportResult {
  const [first] = error.problems;
  const pointer = first?.pointer ?? (error.reason?.startsWith("/") ? error.reason : "");
  return { line, code: error.code, pointer, detail: first?.detail ?? error.message };
}

export const loginInUse = (line: number): ImportResult =>
  rejection(
    line,
    new ApiError("customer.login-taken", "The login is in use at this shop.", "/login"),
  );

export const beyondQuota = (line: number): ImportResult =>
  rejection(
    line,
    new ApiError("quota.exceeded", "The tenant has as many customers as it may have.", "customers"),
  );

export const notWritten = (line: number): ImportResult =>
  rejection(
    line,
    new ApiError("server.internal-error", "The line could not be stored. Import it again."),
  );

/** The customer of a line, or the error of an invalid one. */
export function parseLine(
  { line, bytes }: { line: number; bytes: Buffer },
  rules: LineRules,
): ParsedLine | ImportResult {
  try {
    return { line, row: parse(bytes, rules) };
  } catch (error) {
    if (error instanceof ApiError) return rejection(line, error);
    throw error;
  }
}
