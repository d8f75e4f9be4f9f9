import { z } from "zod";
import type { Endpoint } from "@/lib/protocol/endpoint";

interface HostileBody {
  name: string;
  text: string;
}

const fill = (size: number, unit: string) => unit.repeat(Math.floor(size / unit.length));

/** Bodies that match no particular operation, of about this many bytes. */
function general(size: number): HostileBody[] {
  const room = size - 200;
  return [
    { name: "deep arrays", text: fill(room / 2, "[") + fill(room / 2, "]") },
    {
      name: "32 levels, many times",
      text: `[${fill(room, `${"[".repeat(31)}${"]".repeat(31)},`)}1]`,
    },
    { name: "an array of numbers", text: `[${fill(room, "1,")}1]` },
    { name: "an array of objects", text: `[${fill(room, "{},")}{}]` },
    { name: "one long string", text: `"${fill(room, "a")}"` },
    { name: "escapes", text: `"${fill(room, "\\u0061")}"` },
    { name: "half a surrogate pair at the end", text: `{"a":"${fill(room, "a")}\\ud800"}` },
    {
      name: "many members",
      text: `{${Array.from({ length: Math.floor(room / 12) }, (_, n) => `"${n}":1`).join(",")}}`,
    },
    {
      name: "a member twice, at the end",
      text: `{${Array.from({ length: Math.floor(room / 12) }, (_, n) => `"${n}":1`).join(",")},"0":1}`,
    },
    { name: "one member many times", text: `{${fill(room, '"a":1,')}"a":1}` },
    { name: "long digits", text: `{"a":${fill(room, "9")}}` },
  ];
}

/** The worst values for a property of the operation's body, of about this many bytes. */
function values(size: number): [string, string][] {
  const room = size - 400;
  return [
    ["a long string", `"${fill(room, "a")}"`],
    ["a string of hyphens", `"${fill(room, "a-")}"`],
    ["a string of spaces", `"${fill(room, " ")}"`],
    ["a string of combining marks", `"a${fill(room, "\\u0301")}"`],
    ["an array of numbers", `[${fill(room, "1,")}1]`],
    ["an array of the same string", `[${fill(room, '"de",')}"de"]`],
    ["an array of objects", `[${fill(room, "{},")}{}]`],
    [
      "an object of many members",
      `{${Array.from({ length: Math.floor(room / 14) }, (_, n) => `"a${n}":[]`).join(",")}}`,
    ],
  ];
}

/** The names of the properties of an operation's body. */
function membersOf({ body }: Endpoint): string[] {
  const schema = body && z.toJSONSchema(body, { io: "input", unrepresentable: "any" });
  return Object.keys(schema?.properties ?? {});
}

/** Bodies that the operation should reject without blocking the event loop: general ones, and one for each property and worst value. */
export function hostileBodies(declared: Endpoint): HostileBody[] {
  // Larger bodies are read as a stream, line by line.
  const largest = Math.min(declared.limits.body, 2 * 1024 * 1024);
  const sizes = [256 * 1024, largest].filter((size) => size <= largest);
  return [...new Set(sizes)].flatMap((size) => [
    ...general(size),
    ...membersOf(declared).flatMap((member) =>
      values(size).map(([name, value]) => ({
        name: `${member}: ${name}`,
        text: `{"${member}":${value}}`,
      })),
    ),
  ]);
}
