import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import type { UsedText } from "./extract";

/** The files of lib with texts shown in the portal, and the properties of these texts. */
const shown: [file: string, properties: RegExp][] = [
  ["lib/access/roles.ts", /^(name|group)$/],
  ["lib/access/role-meanings.ts", /./],
  ["lib/features/quotas/values.ts", /^label$/],
];

/** The texts of the audit trail and of mails, each with a separate catalogue. */
const said: [file: string, area: string][] = [
  ["lib/features/audit/sentences.ts", "audit"],
  ["lib/features/audit/sentence-text.ts", "mails"],
  ["lib/features/notices/mail.ts", "mails"],
  ["lib/features/alerts/mail.ts", "mails"],
  ["lib/features/users/access-request-mail.ts", "mails"],
  ["lib/features/users/email-confirmation.ts", "mails"],
  ["lib/features/users/reset-mail.ts", "mails"],
];

const isSentence = (text: string) => /^[A-Z]/.test(text) && /[a-z]/.test(text);

/** The values of an object's properties and the arguments of `say`, as texts of the area. */
function saidIn(root: string, [file, area]: (typeof said)[number]): UsedText[] {
  const source = readFileSync(join(root, file), "utf8");
  const found: UsedText[] = [];
  const add = (node: { type: string; value?: unknown } | undefined, isSaid: boolean) => {
    const text = node?.type === "Literal" ? node.value : undefined;
    if (typeof text === "string" && (isSaid || /^[A-Z{].*[a-z]/.test(text)))
      found.push({ key: text, file: `components/${area}/`, line: 0 });
  };
  new Visitor({
    Property({ value }) {
      add(value, false);
    },
    CallExpression({ callee, arguments: [first] }) {
      if (!first || !/(?:^|\.)say$/.test(source.slice(callee.start, callee.end))) return;
      const isChoice = first.type === "ConditionalExpression";
      for (const one of isChoice ? [first.consequent, first.alternate] : [first]) add(one, true);
    },
  }).visit(parseSync(file, source).program);
  return found;
}

/** Titles and remedies of the codes of errors: the second and third argument of each `code()`. */
function textsOfCodes(root: string): UsedText[] {
  const found: UsedText[] = [];
  const folder = "lib/protocol/error-codes";
  for (const file of readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    new Visitor({
      CallExpression({ callee, arguments: [, title, remedy] }) {
        if (callee.type !== "Identifier" || callee.name !== "code") return;
        for (const [text, area] of [[title, "errors"] as const, [remedy, "remedies"] as const])
          if (text?.type === "Literal" && typeof text.value === "string")
            found.push({ key: text.value, file: `components/${area}/`, line: 0 });
      },
    }).visit(parseSync(file, readFileSync(join(root, file), "utf8")).program);
  return found;
}

/** The texts of lib that must be in the catalogue `lib`: names and descriptions of roles, names of quotas and measures. */
export function textsOfLib(root: string): UsedText[] {
  const alerts = "lib/features/alerts/values.ts";
  const ofPrograms = said.flatMap((one) => saidIn(root, one));
  const ofShown = [...shown, [alerts, /./] as const].flatMap(([file, properties]) => {
    const found: UsedText[] = [];
    const source = readFileSync(join(root, file), "utf8");
    const add = (value: unknown) => {
      if (typeof value === "string" && isSentence(value)) found.push({ key: value, file, line: 0 });
    };
    new Visitor({
      Property({ key, value }) {
        const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? key.value : "";
        if (properties.test(String(name)) && value.type === "Literal") add(value.value);
      },
      CallExpression({ arguments: [first] }) {
        if (properties.test("name") && first?.type === "Literal") add(first.value);
      },
    }).visit(parseSync(file, source).program);
    return found;
  });
  return [...ofShown, ...ofPrograms, ...textsOfCodes(root)];
}

/** The placeholder of a value in a text: the name of its last property. */
function nameOf(source: string): string {
  return /(\w+)\W*$/.exec(source)?.[1] ?? "value";
}

/** The texts of lib that may be in the catalogue: error messages. Missing ones are shown in English. */
export function optionalTexts(root: string): Set<string> {
  const found = new Set<string>();
  for (const name of readdirSync(join(root, "lib"), { recursive: true, encoding: "utf8" })) {
    const file = `lib/${name.replaceAll("\\", "/")}`;
    if (!file.endsWith(".ts") || file.includes("test")) continue;
    const source = readFileSync(join(root, file), "utf8");
    new Visitor({
      Literal({ value }) {
        if (typeof value === "string" && /^[A-Za-z].* /.test(value)) found.add(value);
      },
      TemplateLiteral({ quasis, expressions }) {
        const parts = quasis.map(({ value }, index) => {
          const inner = expressions[index];
          return value.cooked + (inner ? `{${nameOf(source.slice(inner.start, inner.end))}}` : "");
        });
        if (/[A-Za-z] /.test(parts.join(""))) found.add(parts.join(""));
      },
    }).visit(parseSync(file, source).program);
  }
  return found;
}
