import { expect } from 'chai';
import { CommandError } from '../../src/errors.ts';
import { compileRegex } from '../../src/query/regex.ts';

/** Pattern, options, texts that match in PCRE, texts that do not. */
const cases: [string, string, string[], string[]][] = [
  ['^b$', '', ['b', 'b\n'], ['a\nb', 'b\n\n', 'b\nc', 'b\u2028']],
  ['^b$', 'm', ['b', 'a\nb', 'b\nc'], ['a\u2028b', 'b\r']],
  ['^$', 'm', ['', 'a\n\nb'], ['a\n']],
  ['a.b', '', ['axb', 'a\rb', 'a\u2028b', 'a\u{1f600}b'], ['a\nb', 'ab']],
  ['a.b', 's', ['a\nb', 'axb'], ['ab']],
  ['^a # comment\n [ #] $', 'x', ['a ', 'a#'], ['a', 'a # ']],
  ['(?i)AB', '', ['ab'], ['a']],
  ['\\s', '', [' ', '\t', '\v'], ['\u00a0', '\ufeff', 'a']],
  ['^\\S$', '', ['\u00a0', 'a'], [' ']],
  ['^[\\S]$', '', ['\u00a0', 'a'], [' ']],
  ['^\\w+$', '', ['a_1'], ['é', '-']],
  ['^[]a]+$', '', ['a]'], ['b']],
  ['^[^]a]$', '', ['b'], [']', 'a']],
  ['^[a-c-]+$', '', ['a-c'], ['d']],
  ['^[$.(|]+$', '', ['$.(|'], ['a']],
  ['^a{2}{,$', '', ['aa{,'], ['a{2}{,']],
  ['^a{,b$', '', ['a{,b'], ['a']],
  ['^a+?b{1,2}$', '', ['aab', 'abb'], ['abbb']],
  ['(?:a|b)(?=c)', '', ['ac', 'bc'], ['a']],
  ['(?!a)b', '', ['b'], ['c']],
  ['\\x41\\.', '', ['A.'], ['a.', 'AB']],
  ['^\u{1f600}{2}$', '', ['\u{1f600}\u{1f600}'], ['\u{1f600}']],
  ['É', 'i', ['é'], ['e']],
];

const refused = [
  '\\a',
  '\\e',
  '\\x{41}',
  '\\x4',
  '\\A',
  '\\z',
  '\\Z',
  '\\G',
  '\\h',
  '\\R',
  '\\v',
  '\\K',
  '\\Qb\\E',
  '\\cA',
  '\\0',
  '(a)\\1',
  '\\pL',
  '\\u0041',
  '[[:alpha:]]',
  '[a-\\d]',
  '[\\w-a]',
  '(?<name>a)',
  '(?<=a)b',
  '(?>a)',
  '(?i:a)',
  'a(?i)b',
  '(*UCP)a',
  'a++',
  'a{,3}',
  '(?#comment)',
];

const invalid: [string, string, number][] = [
  ['*a', '', 51091],
  ['a**', '', 51091],
  ['(a', '', 51091],
  ['[a', '', 51091],
  ['a\\', '', 51091],
  ['a{2,1}', '', 51091],
  ['a', 'g', 51108],
  ['a\0', '', 51109],
];

function codeOf(pattern: string, options: string): number | undefined {
  try {
    compileRegex(pattern, options);
    return undefined;
  } catch (error) {
    return error instanceof CommandError ? error.code : Number.NaN;
  }
}

describe('document store: regular expressions', () => {
  for (const [pattern, options, matching, others] of cases) {
    it(`reads /${JSON.stringify(pattern).slice(1, -1)}/${options} as PCRE does`, () => {
      const expression = compileRegex(pattern, options);
      expect(matching.filter((text) => !expression.test(text))).to.deep.equal([]);
      expect(others.filter((text) => expression.test(text))).to.deep.equal([]);
    });
  }

  for (const pattern of refused) {
    it(`refuses /${pattern}/, which JavaScript reads in another way`, () => {
      expect(codeOf(pattern, '')).to.equal(2);
    });
  }

  it('refuses \\w, \\W and \\b with the option i, which have more letters in JavaScript', () => {
    expect([codeOf('\\w', 'i'), codeOf('[\\W]', 'i'), codeOf('\\b', 'i')]).to.deep.equal([2, 2, 2]);
  });

  for (const [pattern, options, code] of invalid) {
    it(`refuses /${JSON.stringify(pattern).slice(1, -1)}/${options} as invalid`, () => {
      expect(codeOf(pattern, options)).to.equal(code);
    });
  }
});
