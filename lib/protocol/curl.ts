/**
 * Writes all curl commands of the product. Users paste them into a shell, and parts of them come from URLs that anyone may have
 * crafted: each value is quoted, and control characters are encoded or removed, since a terminal would interpret them.
 */

/** A value that the shell takes from its environment, such as "Bearer $TOKEN". */
export interface ShellVariable {
  /** Letters, digits and underscores. */
  variable: string;
  before?: string;
}

type Pairs<Value> = readonly (readonly [name: string, value: Value])[];

export interface CurlCall {
  /** GET, or POST where there is data. */
  method?: string;
  /** With an encoded query, or none. */
  url: string;
  headers: Pairs<string | ShellVariable>;
  /** Not encoded: curl encodes it and adds it to the URL. */
  query?: Pairs<string>;
  data?: string;
  /** Shows the headers of the response too. */
  isVerbose?: boolean;
}

const controls = /\p{Cc}/gu;
/** Bodies have lines. */
const controlsInLines = /(?![\n\t])\p{Cc}/gu;

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A header with a control character would be rejected. */
function header([name, value]: readonly [string, string | ShellVariable]): string {
  if (typeof value === "string")
    return `-H ${quoted(`${name}: ${value}`.replaceAll(controls, ""))}`;
  const before = `${name}: ${value.before ?? ""}`.replaceAll(controls, "");
  return `-H "${before.replaceAll(/["\\$`]/g, "\\$&")}$${value.variable}"`;
}

/** Unescaped where a terminal shows the characters as they are. */
const queryOption = ([name, value]: readonly [string, string]) =>
  value.search(controls) < 0
    ? `--data-urlencode ${quoted(`${name}=${value}`)}`
    : `-d ${quoted(`${name}=${encodeURIComponent(value)}`)}`;

/** `-d` reads a file if its text starts with @. */
function dataOption(text: string): string {
  const option = text.startsWith("@") ? "--data-raw" : "-d";
  return `${option} ${quoted(text.replaceAll(controlsInLines, ""))}`;
}

/**
 * The call as a shell takes it, one option in a line.
 *
 * @example curlLine({ url: "https://api.example/v1/user/list", headers: [["X-Service-API-Key", { variable: "API_KEY" }]] })
 */
export function curlLine({ method, url, headers, query = [], data, isVerbose }: CurlCall): string {
  const implied = data === undefined ? "GET" : "POST";
  const words = [
    "curl",
    ...(isVerbose ? ["-i"] : []),
    ...(method !== undefined && method !== implied ? [`-X ${method}`] : []),
    ...(query.length > 0 ? ["--get"] : []),
    quoted(url.replaceAll(controls, encodeURIComponent)),
  ];
  const options = [
    ...headers.map(header),
    ...query.map(queryOption),
    ...(data === undefined ? [] : [dataOption(data)]),
  ];
  return [words.join(" "), ...options].join(" \\\n  ");
}
