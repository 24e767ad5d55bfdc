// `npm run score`: compares the findings of the scanner with two files of labelled lines, which
// were written without knowledge of its rules. Each line is
// `{"system", "text", "findings": [{"type", "country"?, "value"}]}`. A finding is right if type,
// country and extent are. Of the held-out lines only sums are shown, so that no rule is written for
// them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { register } from 'tsx/esm/api';

register();
const { createScanner } = await import('../shared/pii/scan-personal-data.ts');

const project = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: { folder: { type: 'string', default: join(project, 'test/fixtures/pii') } },
});
const types = ['email', 'national_id', 'payment_card'];
const scan = createScanner();

/** The key of a finding, by which a label and a finding are compared. */
function keyOf({ type, country = '', start, end }) {
  return [type, country, start, end].join(' ');
}

/** The labels with their positions. Equal values are found from left to right. */
function locate(text, labels) {
  let from = 0;
  return labels.map((label) => {
    const after = text.indexOf(label.value, from);
    const start = after < 0 ? text.indexOf(label.value) : after;
    if (start < 0) throw new Error(`The value "${label.value}" is not in the line: ${text}`);
    from = start + label.value.length;
    return { ...label, start, end: from };
  });
}

/** The labels without a finding, and the findings without a label. */
function compare({ text, findings: labels }) {
  const expected = locate(text, labels);
  const found = scan(text).map((finding) => ({ ...finding, value: text.slice(finding.start, finding.end) }));
  const without = (list, others) => {
    const keys = new Set(others.map(keyOf));
    return list.filter((finding) => !keys.has(keyOf(finding)));
  };
  return { expected, found, missed: without(expected, found), wrong: without(found, expected) };
}

function percent(part, whole) {
  return `${((100 * part) / Math.max(1, whole)).toFixed(2).padStart(6)} %`;
}

function score(name, showsLines) {
  const path = join(options.folder, `${name}.jsonl`);
  if (!existsSync(path)) return console.log(`${name}: ${path} does not exist.`);
  const rows = readFileSync(path, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
  const results = rows.map((row) => ({ row, ...compare(row) }));
  const show = (finding) => [finding.type, finding.country, finding.value].filter(Boolean).join(' ');
  for (const { row, missed, wrong } of showsLines ? results : []) {
    for (const finding of missed) console.log(`missed ${show(finding)} in [${row.system}] ${row.text}`);
    for (const finding of wrong) console.log(`wrong  ${show(finding)} in [${row.system}] ${row.text}`);
  }
  console.log(`${name}: ${rows.length} lines`);
  for (const type of types) {
    const count = (field) => results.flatMap((result) => result[field]).filter((one) => one.type === type).length;
    const [expected, found, wrong] = [count('expected'), count('found'), count('wrong')];
    const hits = found - wrong;
    const measures = `precision ${percent(hits, found)}, recall ${percent(hits, expected)}`;
    console.log(`  ${type.padEnd(12)} ${measures}, F1 ${percent(2 * hits, expected + found)} (${expected} expected)`);
  }
}

score('development', true);
score('held-out', false);
