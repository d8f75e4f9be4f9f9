import { isDeepStrictEqual } from "node:util";
import {
  CustomerDetails,
  cardNumberProblems,
  emptyDetails,
} from "@/lib/protocol/documents/customer-profile";
import { invalid, type Problem } from "@/lib/protocol/errors";
import { applyMergePatch, type JsonObject } from "@/lib/protocol/merge-patch";
import { bodyProblems } from "@/lib/protocol/validation";

/** Every default must be one of its list, or a list could be emptied and leave something behind. */
export function defaultProblems({
  addresses,
  creditCards,
  emailAddresses,
}: CustomerDetails): Problem[] {
  const defaults: [string, unknown, readonly unknown[]][] = [
    ["/addresses/defaultBilling", addresses.defaultBilling, addresses.addresses],
    ["/addresses/defaultShipping", addresses.defaultShipping, addresses.addresses],
    ["/creditCards/default", creditCards.default, creditCards.cards],
    ["/emailAddresses/default", emailAddresses.default, emailAddresses.addresses],
  ];
  return defaults
    .filter(
      ([, value, list]) =>
        value !== undefined && !list.some((one) => isDeepStrictEqual(one, value)),
    )
    .map(([pointer]) => ({ pointer, detail: `${pointer} must equal a member of its list.` }));
}

/** The details of a new customer, whose login is looked at like a text of the profile. Throws 400. */
export function newDetails({ login, ...profile }: JsonObject & { login: string }): CustomerDetails {
  const cards = cardNumberProblems({ login });
  if (cards.length > 0) throw invalid(cards);
  return patchedDetails(emptyDetails, profile);
}

/** The details that a merge patch leads to: a wrapper that is removed is empty again. Throws 400. */
export function patchedDetails(details: CustomerDetails, patch: JsonObject): CustomerDetails {
  const cards = cardNumberProblems(patch);
  if (cards.length > 0) throw invalid(cards);
  const merged = applyMergePatch(details, patch) as JsonObject;
  for (const [name, empty] of Object.entries(emptyDetails))
    merged[name] = { ...empty, ...(merged[name] as object | undefined) };
  const parsed = CustomerDetails.safeParse(merged);
  if (!parsed.success) throw invalid(bodyProblems(parsed.error, merged));
  const problems = defaultProblems(parsed.data);
  if (problems.length > 0) throw invalid(problems);
  return parsed.data;
}
