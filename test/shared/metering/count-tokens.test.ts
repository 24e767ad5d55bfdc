import { expect } from 'chai';
import { countTokens as countByLibrary } from 'gpt-tokenizer/encoding/o200k_base';
import { createTokenCounter, scaleTokens } from '../../../shared/metering/count-tokens.ts';
import { readTokenRanks } from '../../../shared/metering/token-ranks.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import { workerShapes } from '../../support/hostile-texts.ts';
import { isLongForm } from '../../support/long-form.ts';
import { randomInteger } from '../../support/random-choices.ts';

const countTokens = createTokenCounter(readTokenRanks());
const ordinaryText = { disallowedSpecial: new Set<string>() };
const expected = (text: string) => countByLibrary(text, ordinaryText);
/** Compares without a message for each text, which would take longer. */
function expectSame(text: string, count = expected(text)): void {
  if (countTokens(text) !== count) expect.fail(`${JSON.stringify(text)}: ${countTokens(text)}, not ${count}`);
}

const randomText = (random: () => number, parts: readonly string[], length: number) =>
  Array.from({ length }, () => parts[randomInteger(random, 0, parts.length - 1)]).join('');

describe('counting tokens', () => {
  it('returns the same counts as the library for log lines', () => {
    for (const line of [
      '[Sun Dec 04 04:51:08 2005] [notice] jk2_init() Found child 6725 in scoreboard slot 10',
      'Jun 14 15:16:01 combo sshd(pam_unix)[19939]: authentication failure; logname= uid=0 rhost=218.188.2.4 ',
      '2026-11-21T10:31:07.123Z INFO [req-7f8c1a52-03b1-4bb7-9a8e-3e0c8ad1c001] user=rené GET /api/v1/orders/0012345',
      '{"level":"warn","msg":"slow query  took 1204ms","trace":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}',
      '\tat java.lang.Thread.run(Thread.java:748)\r\n\tat  com.example.Main.main(Main.java:12)\n',
      "It's   5 o'clock; WE'LL see 12³ and ٣٤٥ and 1\u00a0000\u3000円",
    ]) {
      expectSame(line);
    }
  });

  it('returns the same counts as the library for random mixtures of words, digits, spaces and signs', () => {
    const random = seededRandom(17);
    const parts = " |  |\t|\n|\r\n|a|Ab|'s|'LL|12|3|4567| 5|   7|.|/|_-|=|\"|é|😀|的|²|٣|\u0301|\u3000|\u00a0|\u2028"
      .split('|')
      .concat('\ud800', '\0', '\u007f', '<|endoftext|>');
    for (let round = 0; round < (isLongForm ? 20_000 : 5_000); round += 1) {
      expectSame(randomText(random, parts, randomInteger(random, 1, 12)));
    }
  });

  it('returns the count of each of more words than are cached, also from the cache', () => {
    const random = seededRandom(18);
    const letters = 'abcdefghijklmnop'.split('');
    const words = Array.from({ length: 50_000 }, () => randomText(random, letters, randomInteger(random, 2, 8)));
    const counts = words.map(expected);
    for (let round = 0; round < 2; round += 1) for (const [at, word] of words.entries()) expectSame(word, counts[at]);
  });

  it('has no tokens of an empty text, and encodes special tokens as ordinary text', () => {
    expect(countTokens('')).to.equal(0);
    expect(countTokens('<|endoftext|>')).to.equal(expected('<|endoftext|>')).and.to.be.greaterThan(1);
  });

  it('does not split a long line without long runs', () => {
    expectSame('a word and 12 numbers, '.repeat(2_000));
    expectSame(`${'x'.repeat(256)} ${'y'.repeat(256)}${' '.repeat(256)}z`);
  });

  it('splits longer runs after every 256 code units', () => {
    expect(countTokens(`a ${'x'.repeat(600)} b`)).to.equal(
      expected(`a ${'x'.repeat(256)}`) + expected('x'.repeat(256)) + expected(`${'x'.repeat(88)} b`),
    );
    expect(countTokens(`a${' '.repeat(300)}b`)).to.equal(
      expected(`a${' '.repeat(256)}`) + expected(`${' '.repeat(44)}b`),
    );
    expect(countTokens('\t '.repeat(150))).to.equal(expected('\t '.repeat(128)) + expected('\t '.repeat(22)));
    // A space that is not in the rule for runs is a part of the run.
    const thinSpaces = `${'x'.repeat(200)}\u2009${'y'.repeat(200)}`;
    expect(countTokens(thinSpaces)).to.equal(expected(thinSpaces.slice(0, 256)) + expected(thinSpaces.slice(256)));
  });

  it('never splits a surrogate pair', () => {
    const text = `x${'😀'.repeat(200)}`;
    // The first piece ends before the pair at 255 and 256; the second piece has 128 pairs.
    expect(countTokens(text)).to.equal(expected(text.slice(0, 255)) + expected(text.slice(255)));
    expect(text.length - 255).to.be.lessThan(257);
  });

  for (const { name, make } of workerShapes) {
    it(`returns the same counts as the library for hostile text: ${name}`, () => {
      // Without runs that are split. The library would take minutes for the longest message.
      for (const bytes of [1, 2, 3, 7, 40, 255]) {
        const text = make(bytes);
        expectSame(text);
        expectSame(`x ${text}9`);
      }
      expect(countTokens(make(256 * 1024))).to.be.above(0);
    });
  }

  it('counts a word of more than 1,024 bytes in pieces of as many', () => {
    const word = '\u3000 '.repeat(500);
    const [first, second] = [word.slice(0, 512), word.slice(512)];
    expect(countTokens(word)).to.equal(expected(first) + expected(second));
  });

  it('returns the same counts as the library for random letters of many scripts', () => {
    const random = seededRandom(29);
    const scripts = '20-7e 61-7a a1-17f 400-4ff 5d0-5ea 900-97f 2000-206f 3040-30ff 4e00-9fff d800-dfff 1f300-1f6ff'
      .split(' ')
      .map((range) => range.split('-').map((code) => Number.parseInt(code, 16)));
    for (let round = 0; round < (isLongForm ? 5_000 : 1_500); round += 1) {
      const [first = 0, last = 0] = scripts[randomInteger(random, 0, scripts.length - 1)] ?? [];
      const codes = Array.from({ length: randomInteger(random, 1, 60) }, () => randomInteger(random, first, last));
      expectSame(String.fromCodePoint(...codes));
    }
  });

  it('has the tokens of the encoding with a byte order mark, which the library does not find', () => {
    expect(countTokens('\ufeff')).to.equal(1);
    expect(countTokens('\ufeffusing')).to.equal(1);
  });

  it('scales by hundredths and rounds up', () => {
    expect([0, 1, 100, 101].map((tokens) => scaleTokens(tokens, 118))).to.deep.equal([0, 2, 118, 120]);
    expect(scaleTokens(7, 100)).to.equal(7);
  });
});
