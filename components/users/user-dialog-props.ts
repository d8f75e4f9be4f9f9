import type { User } from "@/lib/features/users/contract";

/** What each dialog about one takes. */
export interface UserDialogProps {
  user: User;
  site: string | undefined;
  onClose: () => void;
  /** The user changed: what is on screen is old. */
  onDone: () => void;
}
