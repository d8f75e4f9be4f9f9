import type { ApiKey } from "@/lib/features/api-keys/contract";
import type { CallableOperation } from "./key-rights";
import type { Whose } from "./suspend";

/** The props of every dialog about a key. */
export interface KeyDialogProps {
  apiKey: ApiKey;
  whose: Whose;
  callable: CallableOperation[];
  onDone: () => void;
  onClose: () => void;
}
