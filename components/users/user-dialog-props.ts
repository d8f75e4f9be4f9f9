import type { User } from "@/lib/features/users/contract";

/** The props of every dialog about a user. */
export interface UserDialogProps {
  user: User;
  site: string | undefined;
  /** The reason why the service would reject another e-mail address. */
  addressRejection?: string | undefined;
  onClose: () => void;
  /** Called after a change: the user on screen is outdated. */
  onDone: () => void;
}
