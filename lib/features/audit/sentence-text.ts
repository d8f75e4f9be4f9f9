import { quote } from "@/lib/features/mail/queue";
import type { Words } from "@/lib/features/mail/words";
import { actorName, type SentenceEntry, saysFailed, sentenceOf, targetName } from "./sentences";

/** An entry as a sentence of a mail, with the names in quotes; undefined for an unknown action. Pages render their own, with links. */
export function sentenceText(event: SentenceEntry, { say }: Words): string | undefined {
  const sentence = sentenceOf(event.action);
  if (sentence === undefined) return undefined;
  const who = actorName(event.actor);
  const said = say(sentence, {
    who: who === undefined ? say("The service") : quote(who),
    what: quote(targetName(event.target)),
  });
  return saysFailed(event) ? `${said}, ${say("failed")}.` : `${said}.`;
}
