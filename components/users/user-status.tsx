import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import type { User } from "@/lib/features/users/contract";

/** Whether the user can sign in, in one word. */
export function UserStatus({
  user,
}: {
  user: Pick<User, "lock" | "state" | "system" | "erasedAt">;
}) {
  if (user.erasedAt) return <Badge dot>{t("Erased")}</Badge>;
  if (user.lock)
    return (
      <Badge tone="danger" dot>
        {t("Locked")}
      </Badge>
    );
  if (user.state === "invited")
    return (
      <Badge tone="accent" dot>
        {t("Invited")}
      </Badge>
    );
  if (user.state === "deactivated") return <Badge dot>{t("Deactivated")}</Badge>;
  return (
    <Badge tone="success" dot>
      {t("Active")}
    </Badge>
  );
}
