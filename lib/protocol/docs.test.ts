import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";

const root = projectRoot();

function pages(): string[] {
  const below = readdirSync(join(root, "docs"), { recursive: true }).map((file) => `docs/${file}`);
  return [...below.filter((file) => file.endsWith(".md")), "CONTRIBUTING.md", "README.md"];
}

test("every file that a page of documentation names exists", () => {
  const missing = pages().flatMap((page) => {
    const text = readFileSync(join(root, page), "utf8");
    const named = [...text.matchAll(/`((?:lib|components|scripts|bench|e2e)\/[\w/.-]+\.\w+)`/g)];
    return named.flatMap(([, file = ""]) =>
      existsSync(join(root, file)) ? [] : [`${page}: ${file}`],
    );
  });
  expect(missing).toEqual([]);
});

test("every file that a page of the architecture names by its last part exists", () => {
  const listed = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const names = new Set(listed.map((file) => file.slice(file.lastIndexOf("/") + 1)));
  const missing = pages().flatMap((page) => {
    if (!page.startsWith("docs/architecture/")) return [];
    const text = readFileSync(join(root, page), "utf8");
    const named = [...text.matchAll(/`([\w.-]+\.(?:tsx?|css|mjs))`/g)];
    return named.flatMap(([, name = ""]) => (names.has(name) ? [] : [`${page}: ${name}`]));
  });
  expect(missing).toEqual([]);
});

test("every link between pages of documentation refers to an existing file", () => {
  const broken = pages().flatMap((page) => {
    const text = readFileSync(join(root, page), "utf8");
    const folder = page.includes("/") ? page.slice(0, page.lastIndexOf("/")) : "";
    const links = [...text.matchAll(/\]\(((?!https?:|#|\/docs\b)[^)#\s]+)[^)]*\)/g)];
    return links.flatMap(([, link = ""]) =>
      existsSync(join(root, folder, link)) ? [] : [`${page}: ${link}`],
    );
  });
  expect(broken).toEqual([]);
});

test("every decision has the same structure and is in the index once, under its title", () => {
  const folder = join(root, "docs/decisions");
  const index = readFileSync(join(folder, "README.md"), "utf8");
  const wrong = readdirSync(folder).flatMap((file) => {
    if (file === "README.md") return [];
    const text = readFileSync(join(folder, file), "utf8");
    const form =
      /^# (.+)\n\nDate: \d{4}-\d\d-\d\d\n\n\*\*Context\.\*\* .+?\n\n\*\*Decision\.\*\*\s.+?\n\n\*\*Consequences\.\*\* /s;
    const [, title] = form.exec(text) ?? [];
    const entry = `- [${file.slice(0, 4)} ${title}](${file})`;
    return title !== undefined && index.split(entry).length === 2 ? [] : [file];
  });
  expect(wrong).toEqual([]);
});
