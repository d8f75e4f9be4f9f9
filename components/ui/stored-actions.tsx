import { t } from "@/components/texts/t";
import { Button } from "./button";
import { DialogActions } from "./dialog";
import { Checkbox } from "./form/field";

interface StoredActionsProps {
  isStored: boolean;
  onStored: (isStored: boolean) => void;
  onDone: () => void;
}

/** Closes a dialog with a secret, which cannot be shown again, once the user confirms that it is stored. */
export function StoredActions({ isStored, onStored, onDone }: StoredActionsProps) {
  return (
    <DialogActions>
      <span className="flex-1">
        <Checkbox
          label={t("I have stored it")}
          checked={isStored}
          onChange={(event) => onStored(event.target.checked)}
        />
      </span>
      <Button tone="primary" disabled={!isStored} onClick={onDone}>
        {t("Done")}
      </Button>
    </DialogActions>
  );
}
