import { ApiError } from "@/lib/protocol/errors";
import { setting } from "@/lib/protocol/settings";

/** Whether the operator has named a mail server. */
export const isMailOn = (): boolean => setting("SMTP_URL") !== undefined;

/** Throws 403 where no mail is sent. */
export function assertMailOn(): void {
  if (isMailOn()) return;
  throw new ApiError(
    "mail.off",
    "This installation sends no mail. Ask an administrator of the tenant for a link.",
    "SMTP_URL",
  );
}
