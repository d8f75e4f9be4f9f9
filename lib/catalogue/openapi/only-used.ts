import type { Json } from "./schema-writer";

const kinds = ["responses", "headers", "parameters"] as const;

/** The document without the shared parts that no operation refers to. */
export function onlyUsed(document: Json): Json {
  const components = { ...(document.components as Record<string, Json>) };
  // Responses first: they refer to headers.
  for (const kind of kinds) {
    const text = JSON.stringify({ ...document, components });
    const isUsed = (name: string) => text.includes(`"#/components/${kind}/${name}"`);
    components[kind] = Object.fromEntries(
      Object.entries(components[kind] ?? {}).filter(([name]) => isUsed(name)),
    );
  }
  return { ...document, components };
}
