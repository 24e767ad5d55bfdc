import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const folders = ['api', 'workers', 'shared', 'page', 'scripts', 'packages', 'test'];
const maxColumn = 100;

/** A line that is a comment, without lines that the linter reads. */
const comment = /^\s*(?:\/\/(?! (?:oxlint|biome|@ts-))|\/?\*+(?: |$))/;

describe('comments', () => {
  const lines = folders
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((path) => join(folder, String(path))))
    .filter((path) => /\.(?:m?ts|tsx|mjs)$/.test(path) && !/node_modules|\/dist\//.test(path))
    .flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .map((text, index) => ({ text, where: `${path}:${index + 1}` })),
    )
    .filter(({ text }) => comment.test(text));

  it('comments end by column 100', () => {
    const long = lines.filter(({ text }) => text.length > maxColumn).map(({ where }) => where);
    expect(long).to.deep.equal([]);
  });

  it('comments begin with their subject, not with "What" or "Of"', () => {
    const riddles = lines.filter(({ text }) => /^\s*(?:\/\/|\/\*\*) (?:What|Of) /.test(text)).map(({ where }) => where);
    expect(riddles).to.deep.equal([]);
  });
});
