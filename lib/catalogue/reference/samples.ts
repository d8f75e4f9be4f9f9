import { curlLine } from "@/lib/protocol/curl";

/** A request as written by the samples of each language. */
export interface SampleRequest {
  method: string;
  url: string;
  /** Values with `$NAME` are read from the environment. */
  headers: [name: string, value: string][];
  body?: unknown;
  /** A form instead of JSON. */
  isForm?: boolean;
  /** A line of many. */
  isLine?: boolean;
}

const variable = /^(.*)\$([A-Z_]+)$/;

const formOf = (body: unknown) =>
  new URLSearchParams(Object.entries(body as Record<string, string>)).toString();

const indented = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);

export function curlSample({ method, url, headers, body, isForm, isLine }: SampleRequest): string {
  const written = headers.map(([name, value]) => {
    const [, before = "", found] = variable.exec(value) ?? [];
    return [name, found === undefined ? value : { before, variable: found }] as const;
  });
  const text = isForm ? formOf(body) : JSON.stringify(body, null, isLine ? 0 : 2);
  const data = body === undefined ? {} : { data: text };
  return curlLine({ method, url, headers: written, ...data });
}

function scriptValue(value: string, variableOf: (name: string) => string, join: string): string {
  const [, before = "", name] = variable.exec(value) ?? [];
  if (name === undefined) return JSON.stringify(value);
  return before === "" ? variableOf(name) : `${JSON.stringify(before)}${join}${variableOf(name)}`;
}

/** With the fetch API of browsers, Node.js, Deno and Bun. */
export function typeScriptSample({ method, url, headers, body, isForm }: SampleRequest): string {
  const read = (name: string) => `process.env.${name} ?? ""`;
  const listed = headers.map(([name, value]) => {
    const [, before = "", found] = variable.exec(value) ?? [];
    const shown =
      found !== undefined && before !== ""
        ? `\`${before}\${process.env.${found}}\``
        : scriptValue(value, read, " + ");
    return `    ${JSON.stringify(name)}: ${shown},`;
  });
  const sent = isForm
    ? `new URLSearchParams(${JSON.stringify(body)})`
    : `JSON.stringify(${indented(JSON.stringify(body, null, 2) ?? "", "  ")})`;
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...(method === "GET" ? [] : [`  method: ${JSON.stringify(method)},`]),
    "  headers: {",
    ...listed,
    "  },",
    ...(body === undefined ? [] : [`  body: ${sent},`]),
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    "console.log(await response.text());",
  ].join("\n");
}

const constants: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

/** JSON as a Python literal: the names of constants differ. */
const pythonValue = (value: unknown) =>
  JSON.stringify(value, null, 4).replace(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (part) => constants[part] ?? part,
  );

/** With only Python's standard library. */
export function pythonSample({ method, url, headers, body, isForm }: SampleRequest): string {
  const usesJson = body !== undefined && !isForm;
  const hasVariable = headers.some(([, value]) => variable.test(value));
  const read = (name: string) => `os.environ["${name}"]`;
  const sent = isForm
    ? `    data=${JSON.stringify(formOf(body))}.encode(),`
    : `    data=json.dumps(${indented(pythonValue(body ?? null), "    ")}).encode(),`;
  return [
    ...(usesJson ? ["import json"] : []),
    ...(hasVariable ? ["import os"] : []),
    "from urllib.request import Request, urlopen",
    "",
    "request = Request(",
    `    ${JSON.stringify(url)},`,
    ...(method === "GET" ? [] : [`    method=${JSON.stringify(method)},`]),
    "    headers={",
    ...headers.map(
      ([name, value]) => `        ${JSON.stringify(name)}: ${scriptValue(value, read, " + ")},`,
    ),
    "    },",
    ...(body === undefined ? [] : [sent]),
    ")",
    "with urlopen(request) as response:",
    "    print(response.read().decode())",
  ].join("\n");
}
