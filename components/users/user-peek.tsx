"use client";

import { usePortal } from "@/components/shell/portal";
import { PeekPanel } from "@/components/ui/table/peek-panel";
import type { User } from "@/lib/features/users/contract";
import { UserFacts } from "./user-facts";
import { UserStatus } from "./user-status";

interface UserPeekProps {
  user: User;
  href: string;
  roleNames: Record<string, string>;
  onClose: () => void;
}

/** The main facts of a user next to the list. */
export function UserPeek({ user, href, roleNames, onClose }: UserPeekProps) {
  const { view } = usePortal();
  return (
    <PeekPanel
      row={user.id}
      title={user.name}
      status={<UserStatus user={user} />}
      href={href}
      onClose={onClose}
    >
      <UserFacts user={user} tenant={view.tenant} roleNames={roleNames} />
    </PeekPanel>
  );
}
