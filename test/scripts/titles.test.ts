import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

/** The call of a test up to the first word of its title. */
const titleStart = /\bit(?:[A-Z]\w*)?(?:\.\w+)?\(\s*['"`](?<word>[a-z]+)\b/g;

/** Verbs whose plural subject is not in the title, and words that begin part of a sentence. */
const fragmentStarts = new Set(
  `accept add admit apply are begin belong can cannot change come compress contain continue cost count deliver depend
  differ divide do end exceed expire forbid get go grant have hold include join keep know leave link lose make may meet
  mention name need pass pin prevent print put raise reach read refuse repeat replace report require respond restrict
  return reveal run say separate share show split start stay stop store take tell use wait work
  after at before by during for from in of on to with without
  and but that which whose`.split(/\s+/),
);

describe('titles of tests', () => {
  it('a title begins with its subject, or with a verb whose subject is "it"', () => {
    const fragments = ['test', 'packages']
      .flatMap((folder) => readdirSync(folder, { recursive: true }).map((path) => join(folder, String(path))))
      .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(titleStart)]
          .map(({ groups }) => groups?.['word'] ?? '')
          .filter((word) => fragmentStarts.has(word))
          .map((word) => `${path}: ${word} …`),
      );
    expect(fragments).to.deep.equal([]);
  });
});
