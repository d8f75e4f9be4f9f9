import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { mixedScripts } from "@/components/ui/form/mixed-scripts";

/** A login, marked where it mixes scripts: one letter of another script makes a twin that nobody can distinguish. */
export function LoginText({ login }: { login: string }) {
  const scripts = mixedScripts(login);
  if (scripts.length === 0) return login;
  return (
    <>
      {login}{" "}
      <Badge tone="warning">{t("Mixed scripts: {scripts}", { scripts: scripts.join(", ") })}</Badge>
    </>
  );
}
