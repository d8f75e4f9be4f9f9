import { type Program, parseSync, Visitor } from "oxc-parser";

/** Code that only some layers may contain, found in the text of a file. */
interface SourceRule {
  isAllowedIn: (file: string) => boolean;
  reason: string;
}

const isTest = (file: string) => /\.test\.tsx?$|(^|\/)testing\//.test(file);

const responses: SourceRule = {
  isAllowedIn: (file) => /^lib\/(http|server)\//.test(file),
  reason: "only lib/http and lib/server create a Response",
};

/** lib/server is loaded once, by the process itself: no bundle of Next contains it. lib/database/open.ts has one drizzle for each bundle. */
const processState: SourceRule = {
  isAllowedIn: (file) => /^lib\/(protocol\/per-process\.ts|database\/open\.ts|server\/)/.test(file),
  reason: "state of the process is kept by perProcess(name, create)",
};

/** Code that sends separate requests right after a user action, and code that needs no session. */
const ownRequests =
  /^components\/(customers\/upload|docs\/(search-results|try-request)|connections\/provider-call|shell\/(connection|palette\/docs|sign-out)|sign-in\/sign-in-call|ui\/part)\.tsx?$/;

/** The client marks each background read of the page: a read that bypasses it would keep a session open indefinitely. */
const requests: SourceRule = {
  isAllowedIn: (file) => !file.startsWith("components/") || ownRequests.test(file),
  reason: "components ask the service through the typed client",
};

const requestClasses = new Set(["EventSource", "WebSocket", "XMLHttpRequest"]);

/** Before its scripts run, a browser submits a form by itself: with GET the input would be in the URL. */
const forms: SourceRule = {
  isAllowedIn: () => false,
  reason: 'a form has method="post"',
};

/** Data that a sign-out deletes goes through one file, and preferences, which it does not delete, through another. */
const deviceStorage: SourceRule = {
  isAllowedIn: (file) =>
    /^components\/(ui\/(device-storage|kept)|shared-preview\/share-access)\.ts$/.test(file),
  reason: "drafts are kept by components/ui/device-storage.ts, preferences by kept.ts",
};

/** Their input is short: at most a password, the truncated message of an error, or the product's own text. */
const patterns: SourceRule = {
  isAllowedIn: (file) =>
    !file.startsWith("lib/") ||
    /^lib\/(access\/password-patterns\.ts|protocol\/error-summary\.ts|catalogue\/)/.test(file),
  reason:
    "a pattern that may begin anywhere begins with what it looks for, not with any number of characters",
};

/** An unreachable store would look like a missing permission or an empty result. Code without statements, or showing the error, is exempt. */
const swallowedErrors: SourceRule = {
  isAllowedIn: (file) =>
    !/^(?:app|lib\/features)\//.test(file) ||
    /^lib\/features\/(?:verification\/check|customers\/imports\/line|portal\/portal)\.ts$/.test(
      file,
    ),
  reason: "an error is taken for an answer by isRejection(), or by its code",
};

const namesOne = /^\)?\s*&&[^;{]*\.(?:code|status)\b/;

/** The alternatives of a pattern, separated by bars outside of classes and groups. */
function alternativesOf(pattern: string): string[] {
  const parts = pattern.match(/\\.|\[(?:\\.|[^\]])*\]|[^\\[]/gs) ?? [];
  let depth = 0;
  const found = [""];
  for (const part of parts) {
    if (part === "(") depth += 1;
    if (part === ")") depth -= 1;
    if (part === "|" && depth === 0) found.push("");
    else found.push(`${found.pop()}${part}`);
  }
  return found;
}

/** A wildcard repetition and then something: a text without a match is scanned to its end from each character, 8 KB for 100 ms. */
const openBeginning =
  /^(?:\((?:\?:)?)?(?:\.|\\[wWdDsS]|\\[pP]\{\w+\}|\[(?:\\.|[^\]])*\])(?:[+*]|\{\d+,\})(?!\)?\??$)/;

const isQuadratic = ({ pattern, flags }: { pattern: string; flags: string }) =>
  !flags.includes("y") && alternativesOf(pattern).some((one) => openBeginning.test(one));

const collections = new Set(["Map", "Set", "LRUCache", "WeakMap", "WeakSet"]);

const responseClasses = new Set(["Response", "FastResponse", "NextResponse"]);

const isReadOnly = (source: string, { start, end }: { start: number; end: number }) =>
  /^\w+: Readonly/.test(source.slice(start, end));

/** Mutable variables of a module: `let`, and collections that are not declared as read-only. */
function ownState(program: Program, source: string): { start: number }[] {
  return program.body.flatMap((statement): { start: number }[] => {
    const declared =
      statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type !== "VariableDeclaration") return [];
    if (declared.kind === "let") return [declared];
    return declared.declarations.filter(
      ({ id, init }) =>
        init?.type === "NewExpression" &&
        init.callee.type === "Identifier" &&
        collections.has(init.callee.name) &&
        !isReadOnly(source, id),
    );
  });
}

const reporter =
  (file: string, source: string, found: string[]) =>
  (rule: SourceRule, { start }: { start: number }): void => {
    if (rule.isAllowedIn(file)) return;
    found.push(`${file}:${source.slice(0, start).split("\n").length}: ${rule.reason}`);
  };

/** Each violation of a rule, as "file:line: reason". Tests are exempt. */
export function forbiddenSource(file: string, source: string): string[] {
  if (isTest(file)) return [];
  const found = forbiddenInModule(file, source);
  return file.startsWith("components/") ? [...found, ...forbiddenInComponent(file, source)] : found;
}

function forbiddenInComponent(file: string, source: string): string[] {
  const found: string[] = [];
  const report = reporter(file, source, found);
  new Visitor({
    Identifier(node) {
      if (node.name === "sessionStorage" || node.name === "localStorage")
        report(deviceStorage, node);
    },
    JSXOpeningElement(node) {
      if (node.name.type !== "JSXIdentifier" || node.name.name !== "form") return;
      if (!/\smethod="post"/.test(source.slice(node.start, node.end))) report(forms, node);
    },
  }).visit(parseSync(file, source).program);
  return found;
}

function forbiddenInModule(file: string, source: string): string[] {
  const found: string[] = [];
  const report = reporter(file, source, found);
  const { program } = parseSync(file, source);
  const isServer = !file.startsWith("components/");
  if (isServer) for (const declared of ownState(program, source)) report(processState, declared);
  new Visitor({
    BinaryExpression({ operator, right, start, end }) {
      const isAsked =
        operator === "instanceof" && right.type === "Identifier" && right.name === "ApiError";
      if (isAsked && !namesOne.test(source.slice(end))) report(swallowedErrors, { start });
    },
    Identifier(node) {
      if (isServer && (node.name === "globalThis" || node.name === "global"))
        report(processState, node);
    },
    Literal(node) {
      if ("regex" in node && isQuadratic(node.regex)) report(patterns, node);
    },
    NewExpression(node) {
      if (node.callee.type !== "Identifier") return;
      if (responseClasses.has(node.callee.name)) report(responses, node);
      if (requestClasses.has(node.callee.name)) report(requests, node);
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.type === "Identifier" && callee.name === "fetch") report(requests, node);
      if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return;
      if (responseClasses.has(callee.object.name)) report(responses, node);
    },
  }).visit(program);
  return found;
}
