/**
 * Finds the first syntax error of a text, and what was expected there. Called only for a text that `JSON.parse` rejected: one pass
 * over the text, with a stack of the open objects and arrays. It never returns any of the text.
 */
export interface JsonMistake {
  /** From 1. */
  line: number;
  /** In UTF-16 code units, from 1. */
  column: number;
  /** "a comma or }" */
  expected: string;
}

const expectations = {
  value: "a value",
  "first-item": "a value or ]",
  "first-name": 'a property name in double quotes or "}"',
  name: "a property name in double quotes",
  colon: "a colon",
  "after-property": 'a comma or "}"',
  "after-item": 'a comma or "]"',
  end: "the end of the body",
} as const;

type State = keyof typeof expectations;

const space = /[ \t\n\r]*/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class Mistake extends Error {
  readonly at: number;
  readonly expected: string;

  constructor(at: number, expected: string) {
    super(expected);
    this.at = at;
    this.expected = expected;
  }
}

function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === 0x22) return at + 1;
    if (character < 0x20) throw new Mistake(at, "a string without unescaped control characters");
    if (character !== 0x5c) continue;
    const end = endOfMatch(escapeSequence, text, at);
    if (end === undefined) throw new Mistake(at, "an escape such as \\n or \\u00e9");
    at = end - 1;
  }
  throw new Mistake(start, "a closing double quote");
}

class Walk {
  readonly #text: string;
  readonly #open: ("{" | "[")[] = [];
  #at = 0;
  #state: State = "value";

  constructor(text: string) {
    this.#text = text;
  }

  run(): void {
    for (;;) {
      this.#at = endOfMatch(space, this.#text, this.#at) ?? this.#at;
      if (this.#at >= this.#text.length) break;
      this.#step(this.#text[this.#at] ?? "");
    }
    if (this.#state !== "end") throw this.#mistake();
  }

  #mistake = () => new Mistake(this.#at, expectations[this.#state]);

  #step(character: string): void {
    if (this.#state === "value" || this.#state === "first-item") this.#value(character);
    else if (this.#state === "name" || this.#state === "first-name") this.#name(character);
    else this.#punctuation(character);
  }

  #value(character: string): void {
    if (character === "]" && this.#state === "first-item") this.#close();
    else if (character === "{" || character === "[") {
      this.#open.push(character);
      this.#go(this.#at + 1, character === "{" ? "first-name" : "first-item");
    } else {
      const end =
        character === '"'
          ? endOfString(this.#text, this.#at)
          : endOfMatch(scalar, this.#text, this.#at);
      if (end === undefined) throw this.#mistake();
      this.#go(end, this.#afterValue());
    }
  }

  #name(character: string): void {
    if (character === "}" && this.#state === "first-name") this.#close();
    else if (character === '"') this.#go(endOfString(this.#text, this.#at), "colon");
    else throw this.#mistake();
  }

  #punctuation(character: string): void {
    const state = this.#state;
    if (state === "colon" && character === ":") this.#go(this.#at + 1, "value");
    else if (state === "after-property" && character === ",") this.#go(this.#at + 1, "name");
    else if (state === "after-item" && character === ",") this.#go(this.#at + 1, "value");
    else if (state === "after-property" && character === "}") this.#close();
    else if (state === "after-item" && character === "]") this.#close();
    else throw this.#mistake();
  }

  #close(): void {
    this.#open.pop();
    this.#go(this.#at + 1, this.#afterValue());
  }

  #afterValue(): State {
    const container = this.#open.at(-1);
    if (container === undefined) return "end";
    return container === "{" ? "after-property" : "after-item";
  }

  #go(at: number, state: State): void {
    this.#at = at;
    this.#state = state;
  }
}

/** The first error of a text that is not JSON; undefined for valid JSON. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  try {
    new Walk(text).run();
    return undefined;
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) throw mistake;
    let [line, lineStart] = [1, 0];
    for (let end = text.indexOf("\n"); end >= 0 && end < mistake.at; ) {
      [line, lineStart] = [line + 1, end + 1];
      end = text.indexOf("\n", lineStart);
    }
    return { line, column: mistake.at - lineStart + 1, expected: mistake.expected };
  }
}
