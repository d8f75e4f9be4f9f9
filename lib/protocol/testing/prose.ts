import { parseSync, Visitor } from "oxc-parser";
import { identifierTerms } from "./word-list";

/** Words of the identifiers' list that are ordinary English in a sentence: "at most", "the longest one", "keeps its order". */
const ordinary: ReadonlySet<string> = new Set(["keeps", "longest", "most"]);

/** Words that sentences must not use in addition to those of identifiers, and their replacements. */
const phrases: readonly [phrase: RegExp, term: string][] = [
  ...Object.entries(identifierTerms)
    .filter(([word]) => !ordinary.has(word))
    .map(([word, term]): [RegExp, string] => [new RegExp(`\\b${word}\\b`, "gi"), term]),
  [/\bwhoever\b/gi, "the caller, the user, or who it is"],
  [/\bof (?:its|their|our|his) own\b/gi, "separate, own, or nothing"],
  [/\b(?:so|for) long\b(?! as)/gi, "the time that it is"],
  [/\btell(?:s|ing)\b/gi, "show, say or report"],
  [/\bbites?\b/gi, "take effect"],
  [/\banew\b/gi, "again"],
  [/\bjudges\b/gi, "check"],
  [/\brefuses\b/gi, "reject"],
  [/\bdemands\b/gi, "require"],
];

/** Sources without any of the phrases are not parsed. */
const anyPhrase = new RegExp(phrases.map(([phrase]) => phrase.source).join("|"), "i");

interface Sentence {
  text: string;
  /** Its offset in the file. */
  start: number;
}

const titled: ReadonlySet<string> = new Set(["test", "it", "describe"]);

/** The comments of a file, and the titles of its tests. */
function sentencesOfSource(file: string, source: string): Sentence[] {
  const { program, comments } = parseSync(file, source);
  const found = comments.map(({ value, start }) => ({ text: value, start }));
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      const called = callee.type === "CallExpression" ? callee.callee : callee;
      const name = called.type === "MemberExpression" ? called.object : called;
      if (name.type !== "Identifier" || !titled.has(name.name)) return;
      if (title?.type === "Literal" && typeof title.value === "string")
        found.push({ text: title.value, start: title.start });
    },
  }).visit(program);
  return found;
}

/** Replaces code and the targets of links with blanks: their names are not checked. */
function withoutCode(text: string): string {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, " ");
  return text
    .replaceAll(/^```[\s\S]*?^```/gm, blank)
    .replaceAll(/`[^`\n]*`/g, blank)
    .replaceAll(/\]\([^)\n]*\)/g, blank);
}

/** Each listed word in the comments, test titles or paragraphs of a file, as "file:line: word: use ...". */
export function wordsOfProse(file: string, source: string): string[] {
  if (!anyPhrase.test(source)) return [];
  const sentences = file.endsWith(".md")
    ? [{ text: source, start: 0 }]
    : sentencesOfSource(file, source);
  return sentences.flatMap(({ text, start }) => {
    const plain = withoutCode(text);
    return phrases.flatMap(([phrase, term]) =>
      [...plain.matchAll(phrase)].map(({ 0: word, index }) => {
        const line = source.slice(0, start + index).split("\n").length;
        return `${file}:${line}: ${word}: use ${term}`;
      }),
    );
  });
}
