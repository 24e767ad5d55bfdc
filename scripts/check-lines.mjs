// Fails if a room of the house has more lines than the table in docs/architecture.md allows: those
// of .ts, .tsx, .mjs and .css files, with comments. The check is part of `npm run lint`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const document = 'docs/architecture.md';

/** The lines of all files of a folder. */
function countLines(folder) {
  if (!existsSync(join(root, folder))) return 0;
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(ts|tsx|mjs|css)$/.test(file.name))
    .filter(({ parentPath }) => !/\/(node_modules|dist)(\/|$)/.test(parentPath.slice(root.length)))
    .map(({ name, parentPath }) => readFileSync(join(parentPath, name), 'utf8').split('\n').length - 1)
    .reduce((sum, lines) => sum + lines, 0);
}

const rows = [...readFileSync(join(root, document), 'utf8').matchAll(/^\| `([^|]+)` +\| +([\d,]+) +\|$/gm)];
const errors = rows.flatMap(([, names, most]) => {
  const lines = names.split('`, `').reduce((sum, folder) => sum + countLines(folder), 0);
  const isWithin = lines <= Number(most.replaceAll(',', ''));
  return isWithin ? [] : [`${names.replaceAll('`', '')}: ${lines} lines; ${document} allows ${most}.`];
});
if (rows.length === 0) errors.push(`${document} has no table of rooms and their lines.`);
if (errors.length > 0) {
  process.stderr.write(`${errors.join('\n')}\nDelete something, or raise the number in a commit that says why.\n`);
  process.exitCode = 1;
}
