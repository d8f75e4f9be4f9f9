import { type Program, parseSync, Visitor } from "oxc-parser";

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

/** lib/server is loaded once, by the process itself: no bundle of Next contains it. lib/database/open.ts has one drizzle for each bundle. */
const processState: SourceRule = {
  isAllowedIn: (file) => /^lib\/(protocol\/per-process\.ts|database\/open\.ts|server\/)/.test(file),
  reason: "state of the process is kept by perProcess(name, create)",
};

/** What sends separate requests because a person has just done something, and what needs no session. */
const ownRequests =
  /^components\/(customers\/upload|docs\/(search-results|try-request)|connections\/provider-call|shell\/(connection|palette\/docs|sign-out)|sign-in\/sign-in-call|ui\/part)\.tsx?$/;

/** The client says of each read whether the page asked by itself: one that is sent past it keeps a session open for ever. */
const requests: SourceRule = {
  isAllowedIn: (file) => !file.startsWith("components/") || ownRequests.test(file),
  reason: "components ask the service through the typed client",
};

const requestClasses = new Set(["EventSource", "WebSocket", "XMLHttpRequest"]);

/** Until its page is alive a browser sends a form by itself: with GET everything that was typed would stand in the address. */
const forms: SourceRule = {
  isAllowedIn: () => false,
  reason: 'a form has method="post"',
};

/** What a sign-out must forget goes through one file; so do preferences, which it leaves. */
const deviceStorage: SourceRule = {
  isAllowedIn: (file) =>
    /^components\/(ui\/(device-storage|kept)|shared-preview\/share-access)\.ts$/.test(file),
  reason: "drafts are kept by components/ui/device-storage.ts, preferences by kept.ts",
};

/** What they look through is short: at most a password, the cut message of an error, or our own text. */
const patterns: SourceRule = {
  isAllowedIn: (file) =>
    !file.startsWith("lib/") ||
    /^lib\/(access\/password-patterns\.ts|protocol\/error-summary\.ts|catalogue\/)/.test(file),
  reason:
    "a pattern that may begin anywhere begins with what it looks for, not with any number of characters",
};

/** A store that is away would look like a missing right, or like nothing there. What runs no statement, or shows the error, may. */
const swallowedErrors: SourceRule = {
  isAllowedIn: (file) =>
    !/^(?:app|lib\/features)\//.test(file) ||
    /^lib\/features\/(?:verification\/check|customers\/imports\/line|portal\/portal)\.ts$/.test(
      file,
    ),
  reason: "an error is taken for an answer by isRejection(), or by its code",
};

const namesOne = /^\)?\s*&&[^;{]*\.(?:code|status)\b/;

/** The alternatives of a pattern: what stands between bars outside of classes and groups. */
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

/** Any number of characters and then something: a text without it is read to its end from each of its characters, 8 KB for 100 ms. */
const openBeginning =
  /^(?:\((?:\?:)?)?(?:\.|\\[wWdDsS]|\\[pP]\{\w+\}|\[(?:\\.|[^\]])*\])(?:[+*]|\{\d+,\})(?!\)?\??$)/;

const isQuadratic = ({ pattern, flags }: { pattern: string; flags: string }) =>
  !flags.includes("y") && alternativesOf(pattern).some((one) => openBeginning.test(one));

const collections = new Set(["Map", "Set", "LRUCache", "WeakMap", "WeakSet"]);

const responseClasses = new Set(["Response", "FastResponse", "NextResponse"]);

const isReadOnly = (source: string, { start, end }: { start: number; end: number }) =>
  /^\w+: Readonly/.test(source.slice(start, end));

/** Variables of a module that change: `let`, and collections that are not declared as read-only. */
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

/** Each place that breaks a rule, as "file:line: why". Tests may do what they like. */
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
