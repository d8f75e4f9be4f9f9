import { type SettingName, settings } from "./setting-declarations";

const head = `# Settings

All by environment; none is needed to try Gatehouse out. Every process reads them at its start: an ill-formed one, or one that is unknown and looks like a setting
(\`GATEHOUSE_...\`, or one letter away from a name below), ends the start and is named. An empty one counts as not given.

This page is generated from \`lib/protocol/setting-declarations.ts\`: \`KEEP_SETTINGS=1 npx vitest run lib/protocol/settings\` writes it anew.

| Setting | Default | Values | Meaning |
|---|---|---|---|
`;

/** The page of documentation that lists every setting, from their declarations. */
export function settingsPage(): string {
  const lines = (Object.keys(settings) as SettingName[]).map((name) => {
    const { default: fallback, values, meaning, ...rest } = settings[name];
    const note = "isSecret" in rest ? "; secret: never in logs" : "";
    return `| \`${name}\` | ${fallback} | ${values} | ${meaning}${note} |`;
  });
  return `${head}${lines.join("\n")}\n`;
}
