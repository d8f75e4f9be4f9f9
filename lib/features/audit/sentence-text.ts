import { quote } from "@/lib/features/mail/queue";
import type { Words } from "@/lib/features/mail/words";
import { actorName, type SentenceEntry, saysFailed, sentenceOf, targetName } from "./sentences";

/** An entry as a sentence of a mail (pages draw theirs with links, and their module is the browser's too), with the names in quotes; undefined for an action that this release does not know. */
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
