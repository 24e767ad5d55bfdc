import { expect } from 'chai';
import { NATIONAL_IDS } from '../../../shared/pii/national-ids.ts';
import { found, NATIONAL_ID_VALUES, scan } from './values.ts';

/** In Thai, Chinese, Japanese and Korean, words have no boundaries. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** A letter of each script that surrounds a label, so that it is a part of a word. */
const LETTERS: readonly [RegExp, string][] = [
  [/\p{Script=Cyrillic}/u, 'щ'],
  [/\p{Script=Greek}/u, 'ψ'],
  [/\p{Script=Arabic}/u, 'ظ'],
  [/\p{Script=Hebrew}/u, 'ע'],
  [/\p{Script=Devanagari}/u, 'ढ'],
  [/\p{Script=Tamil}/u, 'ழ'],
  [/\p{Script=Bengali}/u, 'ঢ'],
  [/\p{Script=Telugu}/u, 'ఢ'],
  [/\p{Script=Kannada}/u, 'ಢ'],
  [/\p{Script=Gujarati}/u, 'ઢ'],
  [/\p{Script=Malayalam}/u, 'ഢ'],
  [/\p{Script=Gurmukhi}/u, 'ਢ'],
  [/\p{Script=Sinhala}/u, 'ඪ'],
  [/\p{Script=Latin}/u, 'q'],
];
/** Schemes whose numbers need a label only if they are attached to other text. */
const NEEDS_LABEL_IF_ATTACHED = ['cn_ric', 'fi_hetu', 'it_cf', 'mx_curp', 'sg_nric'];

/** A number that needs a label: in a form that needs one, or in lower case. */
function numberOf(scheme: string): string {
  const { valid = [] } = NATIONAL_ID_VALUES[scheme] ?? {};
  const values = [...valid, ...valid.map((value) => value.toLowerCase())];
  const value = NEEDS_LABEL_IF_ATTACHED.includes(scheme) ? values.at(-1) : values.find((one) => scan(one).length === 0);
  if (value === undefined)
    throw new Error(`No valid number of ${scheme} needs a label: add one to national-id-values.json.`);
  return value;
}

function isFound(text: string, value: string): boolean {
  return scan(text).some(({ type, start, end }) => type === 'national_id' && text.slice(start, end) === value);
}

/** The label with a letter before and after each of its words. */
function withinWords(label: string): string {
  const letter = LETTERS.find(([script]) => script.test(label))?.[1];
  if (letter === undefined) throw new Error(`The script of "${label}" has no letter in LETTERS: add one.`);
  return label
    .split(' ')
    .map((word) => letter + word + letter)
    .join(' ');
}

describe('labels of national ids', () => {
  for (const { scheme, keywords, evidence, ambiguousLabels = {} } of NATIONAL_IDS) {
    const value = numberOf(scheme);
    const written = NEEDS_LABEL_IF_ATTACHED.includes(scheme) ? `x-${value}` : value;

    /** An ambiguous label is not enough for bare digits without a check digit. */
    const isEnough = (label: string): boolean =>
      evidence !== 'format' || !Object.values(ambiguousLabels).flat().includes(label);

    it(`The scanner reads every label of ${scheme} before a number`, () => {
      const missed = keywords
        .filter(isEnough)
        .flatMap((label) => [
          `${label}: ${written}`,
          `${label} ${written}`,
          `${label.toUpperCase()}: ${written}`,
          ...(UNSPACED.test(label)
            ? []
            : [`${label.normalize('NFD')} ${written}`, `{"${label.replaceAll(/[ '"/-]+/g, '_')}":"${written}"}`]),
        ])
        .filter((text) => !isFound(text, value));
      expect(missed).to.deep.equal([]);
    });

    it(`The scanner ignores the labels of ${scheme} within other words`, () => {
      expect(found(written)).to.deep.equal([]);
      const read = keywords
        .filter((label) => !UNSPACED.test(label))
        .map((label) => `${withinWords(label)}: ${written}`)
        .filter((text) => scan(text).length > 0);
      expect(read).to.deep.equal([]);
    });
  }

  it('Every group of labels has a source, or says that none is known', () => {
    for (const { scheme, labels, ambiguousLabels = {} } of NATIONAL_IDS)
      for (const [source, texts] of [...Object.entries(labels), ...Object.entries(ambiguousLabels)]) {
        expect(source, scheme).to.match(/\S/u);
        expect(texts, scheme).to.not.be.empty;
      }
  });
});

describe('forms of labels', () => {
  const read: readonly [text: string, finding: string][] = [
    ['SS # 212456789', 'us_ssn:212456789'],
    ['เลขบัตรประชาชน ๓๔๑๑๖๑๒๔๙๐๖๕๕', 'th_pin:๓๔๑๑๖๑๒๔๙๐๖๕๕'],
    ['RUN: 12531909-2', 'cl_rut:12531909-2'],
    ['"ci":"1710034065"', 'ec_ci:1710034065'],
  ];
  for (const [text, finding] of read)
    it(`The scanner finds ${finding} in: ${text}`, () => expect(found(text)).to.deep.equal([finding]));

  const ignored = [
    'pk 250766-16698',
    'a.k.a. 37605030299',
    'www.p.k.example 250766-16698',
    'ss 212456789',
    'run 125319092',
    'run of 12531909-2',
    '12531909-2 run completed',
    'run_id 12531909-2',
    'ci job 1710034065',
    'ci build 42: 1710034065',
  ];
  for (const text of ignored) it(`The scanner finds nothing in: ${text}`, () => expect(found(text)).to.deep.equal([]));
});
