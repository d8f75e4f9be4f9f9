import { parseSync, Visitor } from "oxc-parser";

/** What only some rooms may do, found in the text of a file. */
interface SourceRule {
  isAllowedIn: (file: string) => boolean;
  reason: string;
}

const isTest = (file: string) => /\.test\.tsx?$|(^|\/)testing\//.test(file);

const responses: SourceRule = {
  isAllowedIn: (file) => /^lib\/(http|server)\//.test(file),
  reason: "only lib/http and lib/server create a Response",
};

const responseClasses = new Set(["Response", "FastResponse", "NextResponse"]);

/** Each place that breaks a rule, as "file:line: why". Tests may do what they like. */
export function forbiddenSource(file: string, source: string): string[] {
  if (isTest(file)) return [];
  const found: string[] = [];
  const report = (rule: SourceRule, { start }: { start: number }) => {
    if (rule.isAllowedIn(file)) return;
    found.push(`${file}:${source.slice(0, start).split("\n").length}: ${rule.reason}`);
  };
  new Visitor({
    NewExpression(node) {
      if (node.callee.type === "Identifier" && responseClasses.has(node.callee.name))
        report(responses, node);
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return;
      if (responseClasses.has(callee.object.name)) report(responses, node);
    },
  }).visit(parseSync(file, source).program);
  return found;
}
