import {
  type Expression,
  type JSXChild,
  type JSXEmptyExpression,
  parseSync,
  Visitor,
} from "oxc-parser";

/** Attributes that show their text. */
const shown =
  /^(title|label|aria-label|placeholder|alt|description|hint|heading|legend|lead|purpose|confirm|failed|empty|more|words|note)$/;

/** The name of the product, keys of the keyboard and code are the same in every language. */
const isWords = (text: string) =>
  /[A-Za-z]{2}/.test(text) && !/^\s*(Gatehouse|Ctrl K|GET \S+|\w+[-_]\S+)\s*$/.test(text);

const isSentence = (text: unknown): text is string =>
  typeof text === "string" && /[A-Za-z]{2} /.test(text) && isWords(text);

/** Texts shown directly from the source, which no catalogue can translate. */
export function bareTexts(file: string, source: string): string[] {
  const found: string[] = [];
  const add = (start: number, text: string) =>
    found.push(
      `${file}:${source.slice(0, start).split("\n").length}: ${text.trim()} is in no catalogue; use t()`,
    );
  const addExpression = (node: Expression | JSXEmptyExpression) => {
    if (node.type === "ConditionalExpression") {
      addExpression(node.consequent);
      addExpression(node.alternate);
    } else if (node.type === "LogicalExpression") addExpression(node.right);
    else if (node.type === "Literal" && isSentence(node.value)) add(node.start, node.value);
    else if (node.type === "TemplateLiteral") {
      const text = node.quasis.map(({ value }) => value.cooked).join("…");
      if (isSentence(text)) add(node.start, text);
    }
  };
  const visitChildren = ({ children }: { children: JSXChild[] }) => {
    for (const child of children)
      if (child.type === "JSXExpressionContainer") addExpression(child.expression);
  };
  new Visitor({
    JSXElement: visitChildren,
    JSXFragment: visitChildren,
    JSXText({ start, value }) {
      if (isWords(value)) add(start, value);
    },
    JSXAttribute({ start, name, value }) {
      if (name.type !== "JSXIdentifier" || !shown.test(name.name)) return;
      if (value?.type === "JSXExpressionContainer") addExpression(value.expression);
      if (value?.type !== "Literal") return;
      if (
        typeof value.value === "string" &&
        /^[A-Z]|[a-z] /.test(value.value) &&
        isWords(value.value)
      )
        add(start, value.value);
    },
  }).visit(parseSync(file, source).program);
  return found;
}
