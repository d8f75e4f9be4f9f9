import type { User } from "@/lib/features/users/contract";

/** What each dialog about one takes. */
export interface UserDialogProps {
  user: User;
  site: string | undefined;
  /** Why the service would reject another e-mail address. */
  addressRejection?: string | undefined;
  onClose: () => void;
  /** The user changed: what is on screen is old. */
  onDone: () => void;
}
