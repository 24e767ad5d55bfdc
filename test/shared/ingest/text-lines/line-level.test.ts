import { expect } from 'chai';
import { readLevel } from '../../../../shared/ingest/text-lines/line-level.ts';
import { levelClassOf, levelWords } from '../../../../shared/scenarios/pipeline.ts';

const levels: Readonly<Record<string, readonly (readonly [string, string | undefined])[]>> = {
  'in capitals': [
    ['2026-05-01 12:00:00,123 INFO [main] text', 'INFO'],
    ['2026-05-01 12:00:00.123 UTC [42] LOG:  text', 'LOG'],
    ['[2026-05-01T12:00:00+00:00] local.ERROR: text', 'ERROR'],
    ['12:00:00 [Server thread/WARN]: text', 'WARN'],
    ['\u001b[31mFATAL\u001b[0m text', 'FATAL'],
    ['INFORMATIONAL text', 'INFORMATIONAL'],
    ['text WARNING', 'WARNING'],
    ['ERROR_CODE, ERRORS, DEBUG1, xINFO and Error are none', undefined],
  ],
  'in brackets': [
    ['[Sun Dec 04 04:47:44 2005] [notice] text', 'notice'],
    ['[Fri Sep 09 10:42:29.902022 2011] [core:error] [pid 35708] text', 'error'],
    ['<warn>  [1785000000.1234] text', 'warn'],
    ['(Debug) text', 'Debug'],
    ['[ info ] text', 'info'],
    ['[warn   ] text', 'warn'],
    ['sshd[3]: [preauth] (note) [info> text', undefined],
  ],
  'as level=': [
    ['time=2026-05-01T12:00:00Z level=warn msg="text"', 'warn'],
    ['level="error" text', 'error'],
    ['level=30 text', '30'],
    ['{"time":1,"level":"warn","msg":"text"}', 'warn'],
    ['{"level": 30}', '30'],
    ['{"loglevel":"warn"} level: warn', undefined],
    ['loglevel=warn level=high text', undefined],
  ],
  'as the letter of klog and Android': [
    ['I0512 23:58:22.431545       1 main.go:12] ERROR', 'info'],
    ['W0512 23:58:22.431545       1 main.go:12] text', 'warn'],
    ['03-17 16:13:38.811  1702  2395 D WindowManager: ERROR', 'debug'],
    ['2026-03-17 16:13:38.811  1000  1702  2395 V Tag: text', 'verbose'],
    ['03-17 16:13:38.811 E/WindowManager( 1702): text', 'error'],
    ['F/libc    ( 1702): text', 'fatal'],
    ['2026-05-01 12:00:00.123 A thing: text', undefined],
  ],
  'that comes first': [
    ['[error] INFO text', 'error'],
    ['level=debug FATAL text', 'debug'],
  ],
};

describe('the level of a line', () => {
  for (const [form, lines] of Object.entries(levels)) {
    it(`the level is the word ${form}`, () => {
      for (const [line, level] of lines) expect([line, readLevel(line)]).to.deep.equal([line, level]);
    });
  }

  it('every word of a level class is a level', () => {
    for (const [level, words] of Object.entries(levelWords)) {
      for (const word of words) {
        const texts = /\d/.test(word) ? [`level=${word}`] : [word.toUpperCase(), `[${word}]`, `level=${word}`];
        for (const text of texts) expect([text, levelClassOf(readLevel(`a ${text} b`))]).to.deep.equal([text, level]);
      }
    }
  });

  it('a level is searched in the first 120 characters', () => {
    expect(readLevel(`${'-'.repeat(115)}ERROR text`)).to.equal('ERROR');
    expect(readLevel(`${'-'.repeat(116)}ERROR text`)).to.equal(undefined);
    expect(readLevel(`${'-'.repeat(116)}INFOS text`)).to.equal(undefined);
    expect(readLevel(`${'-'.repeat(115)}ERRORS`)).to.equal(undefined);
  });
});
