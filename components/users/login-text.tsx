import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";

/** Scripts with letters that look like those of another one. East Asian scripts have none and often occur with Latin. */
const scripts = {
  Latin: /\p{Script=Latin}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Armenian: /\p{Script=Armenian}/u,
  Cherokee: /\p{Script=Cherokee}/u,
  Coptic: /\p{Script=Coptic}/u,
  Georgian: /\p{Script=Georgian}/u,
  Hebrew: /\p{Script=Hebrew}/u,
  Arabic: /\p{Script=Arabic}/u,
  Lisu: /\p{Script=Lisu}/u,
} as const;

/**
 * The scripts of a text that mixes several of those whose letters can be mistaken for each other; empty for any other text.
 * @example mixedScripts("\u0430dm") // ["Latin", "Cyrillic"]: the first letter is Cyrillic
 */
export function mixedScripts(text: string): string[] {
  const found = Object.entries(scripts).filter(([, pattern]) => pattern.test(text));
  return found.length > 1 ? found.map(([name]) => name) : [];
}

/** A login, with a mark when it mixes scripts: one letter of another script makes an indistinguishable copy. */
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
