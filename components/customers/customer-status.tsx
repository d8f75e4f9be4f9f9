import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";

export function CustomerStatus({ lock }: { lock: boolean }) {
  return (
    <Badge tone={lock ? "danger" : "success"} dot>
      {lock ? t("Locked") : t("Active")}
    </Badge>
  );
}
