import { t } from "@/components/texts/t";
import { Notice } from "@/components/ui/notice";
import type { CustomerDetail } from "@/lib/features/customers/staff-contract";

/** The element that explains a disabled action, for `aria-describedby`. */
export const otherSitesNoticeId = "other-sites-notice";

/** Whether the caller may lock, end sessions, reveal or erase: these take effect at every site of the customer. */
export const managesEverySite = ({ unmanagedSiteIds }: Pick<CustomerDetail, "unmanagedSiteIds">) =>
  unmanagedSiteIds.length === 0;

/** Why actions on the customer are unavailable, and who can do them. */
export function OtherSitesNotice({ customer }: { customer: CustomerDetail }) {
  if (managesEverySite(customer)) return null;
  const sites = customer.unmanagedSiteIds.join(", ");
  return (
    <Notice>
      <p id={otherSitesNoticeId}>
        {t(
          "This customer also belongs to {sites}. Locking, ending sign-ins, password tokens, revealing and erasing need the permission customer.manage there too: ask a colleague who has it at every site. You see sign-ins and activity of your own sites only.",
          { sites },
        )}
      </p>
    </Notice>
  );
}
