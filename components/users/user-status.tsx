import { Badge } from "@/components/ui/badge";
import type { User } from "@/lib/features/users/contract";

/** Whether somebody can come in, in one word. */
export function UserStatus({
  user,
}: {
  user: Pick<User, "lock" | "state" | "system" | "erasedAt">;
}) {
  if (user.erasedAt) return <Badge dot>Erased</Badge>;
  if (user.lock)
    return (
      <Badge tone="danger" dot>
        Locked
      </Badge>
    );
  if (user.state === "invited")
    return (
      <Badge tone="accent" dot>
        Invited
      </Badge>
    );
  if (user.state === "deactivated") return <Badge dot>Deactivated</Badge>;
  return (
    <Badge tone="success" dot>
      Active
    </Badge>
  );
}
