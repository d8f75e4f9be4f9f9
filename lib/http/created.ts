import type { Context } from "./context";

/** Answers what a POST made, with its address in Location. */
export function created<Made extends { id: string }>(
  { answerHeaders }: Pick<Context, "answerHeaders">,
  under: string,
  made: Made,
): Made {
  answerHeaders.Location = `${under}/${made.id}`;
  return made;
}
