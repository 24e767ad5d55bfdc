// The month of a log, from its lines to the amount, beside the same log repeated end to end for 730
// hours and counted entry by entry at the published prices. The count shares no code with the
// service.
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { compareDesigns } from '../../../shared/cost/compare-designs.ts';
import { type ReadRated, sumRated } from '../../../shared/cost/months-on-terms.ts';
import { looseRules } from '../../../shared/ingest/reading/loose-entry.ts';
import { readEntries } from '../../../shared/ingest/reading/read-entries.ts';
import { meterEntry } from '../../../shared/metering/meter-entry.ts';
import { applyDefaults } from '../../../shared/scenarios/assumptions.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import { randomInteger, shuffle } from '../../support/random-choices.ts';
import { book, defaultPricing, usageOfEntries } from './build-usage.ts';

/** `time` in epoch milliseconds; tokens as entries report them. */
type Entry = Record<'time' | 'bytes' | 'durationMs' | 'input' | 'output', number>;

const [second, hour] = [1_000, 3_600_000];
const at = (hours: number, minutes = 0, seconds = 0) =>
  Date.UTC(2026, 2, 5) + hours * hour + (minutes * 60 + seconds) * second;
const random = seededRandom(48);

/** An entry in a hundred is larger than a request. */
const entry = (time: number): Entry => ({
  time: Math.floor(time),
  bytes: randomInteger(random, 1, 100) === 1 ? 70_000 : randomInteger(random, 1, 200),
  durationMs: randomInteger(random, 1, 500),
  input: randomInteger(random, 0, 900),
  output: randomInteger(random, 0, 300),
});
const every = (step: number, from: number, to: number) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => entry(from + index * step));
const each = (count: number, of: (index: number) => Entry[]) => Array.from({ length: count }, (_, at) => of(at)).flat();

const logs: Readonly<Record<string, readonly Entry[]>> = {
  'a minute of ten entries a second': every(100, at(10, 20), at(10, 21)),
  'a minute across a full hour': every(100, at(10, 59, 30), at(11, 0, 30)),
  '50 minutes within an hour': every(7.3 * second, at(10, 5), at(10, 55)),
  '50 minutes across a full hour': every(7.3 * second, at(10, 35), at(11, 25)),
  '3.3 hours': every(11 * second, at(10, 42), at(14)),
  'two entries an hour apart': [at(10, 20), at(11, 20)].map(entry),
  'a week with nights': each(7, (index) => every(97 * second, at(24 * index + 8), at(24 * index + 18))),
  'a day with a burst an hour': each(24, (index) => every(200, at(index, 13), at(index, 13, 9))),
  'a day of random times': Array.from({ length: 2_000 }, () => entry(at(0) + randomInteger(random, 0, 24 * hour))),
  'entries out of order, and twice': shuffle(
    random,
    [13, 26].flatMap((step) => every(step * second, at(9, 1), at(17, 3))),
  ),
  'days that grow': each(5, (index) => every((400 / (index + 1)) * second, at(24 * index), at(24 * index + 24))),
  'one entry of 1970 among 999': [...every(5 * second, at(10), at(10) + 999 * 5 * second), entry(0)],
};

const maxBytes = 100_000_000;
const rules = looseRules(book, maxBytes);
/** All entries report their tokens. */
const tools = { tokenMultipliers: book.tokenMultipliers, callLimits: book.callLimits, countTokens: () => Number.NaN };
const assumptions = { inference: { model: 'amazon.nova-lite-v1:0' } };

/** The designs of lines that are received long after their times. */
async function monthOf(entries: readonly Entry[]) {
  const lines = entries.map(({ time, bytes, durationMs, input, output }) => {
    const usage = { function_duration_ms: durationMs, input_tokens: input, output_tokens: output };
    return JSON.stringify({ timestamp: new Date(time).toISOString(), message: 'x'.repeat(bytes), usage });
  });
  const receivedAt = at(24 * 40);
  const options = { time: 'line', zone: 'UTC', join: 'none', receivedAt } as const;
  const { valid } = await readEntries(Buffer.from(lines.join('\n')), 'lines', rules, options, maxBytes);
  const metered = valid.map(({ timestamp, ...read }) => {
    const timed = { ...read, timestamp: timestamp ?? receivedAt, timed: timestamp !== undefined };
    return { usage: meterEntry(timed, applyDefaults(assumptions), tools) };
  });
  const hours = usageOfEntries(metered);
  const readRated: ReadRated = (terms, period) => sumRated(() => Readable.from([hours]), terms, period);
  const deps = { priceBooks: { find: async () => null }, readRated };
  return compareDesigns('', { ...defaultPricing, assumptions }, { designs: [] }, deps);
}

/** In USD: Nova Lite, a standard queue, x86_64 with 128 MB, each in its first tier. */
const costOf = ({ bytes, durationMs, input, output }: Entry) =>
  (Math.ceil(bytes / 65_536) * 0.4 + 0.2) / 1e6 +
  ((128 * durationMs) / 1_024_000) * 0.0000166667 +
  (input * 0.00006 + output * 0.00024) / 1e3;

/** The last entry is followed by a mean gap. An entry without a time is one of each repetition. */
function countRepeated(entries: readonly Entry[]) {
  const times = entries.map(({ time }) => time).filter((time) => time > 0);
  const first = Math.min(...times);
  const length = ((Math.max(...times) - first) * times.length) / (times.length - 1);
  const repeated = entries.map((each) => ({ offset: Math.max(0, each.time - first), usd: costOf(each) }));
  const sum = { entries: 0, usd: 0 };
  for (const { offset, usd } of repeated) {
    for (let at = offset; at < 730 * hour; at += length) {
      sum.entries += 1;
      sum.usd += usd;
    }
  }
  return sum;
}

describe('the month of a log', () => {
  for (const [name, entries] of Object.entries(logs)) {
    it(`is that of the log repeated for 730 hours: ${name}`, async () => {
      const { present } = await monthOf(entries);
      const counted = countRepeated(entries);
      expect(present.month_totals!.logs / counted.entries).to.be.within(0.99, 1.01);
      expect(Number(present.month!.total) / counted.usd).to.be.within(0.99, 1.01);
    });
  }

  it('is refused with the reason if the log is of one second', async () => {
    for (const entries of [[entry(at(10))], every(50, at(10), at(10, 0, 1))]) {
      const { present, basis } = await monthOf(entries);
      expect([present.month, present.month_totals]).to.deep.equal([null, null]);
      expect(basis).to.match(/one second, which has no rate: set volume\.entries_per_month/);
    }
  });
});
