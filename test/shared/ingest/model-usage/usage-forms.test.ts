import { expect } from 'chai';
import fc from 'fast-check';
import { readModelUsage } from '../../../../shared/ingest/model-usage/read-model-usage.ts';
import formsOfCall from './usage-forms.json' with { type: 'json' };

/**
 * The eight forms of one call: the lifetimes of cache writes that a form knows, and a record. Its
 * counts are sums of the tokens of the call, by their names.
 */
const forms: Record<string, { writes: readonly string[]; record: object }> = formsOfCall;

/** `write` is cached for 5 minutes, `write1h` for an hour; `output` is beside `reasoning`. */
type Call = Record<'input' | 'read' | 'write' | 'write1h' | 'output' | 'reasoning', number>;

const tokens = fc.integer({ min: 0, max: 1_000_000 });
const calls: fc.Arbitrary<Call> = fc.record({
  input: tokens,
  read: tokens,
  write: tokens,
  write1h: tokens,
  output: tokens,
  reasoning: tokens,
});

/** The tokens of a call that a form with these lifetimes can report. */
const reported = (call: Call, writes: readonly string[]): Call => ({
  ...call,
  write: writes.includes('5m') ? call.write : 0,
  write1h: writes.includes('1h') ? call.write1h : 0,
});

/** A record of a form with the counts of a call, as numbers or as text. */
function write(form: unknown, call: Call, as: (count: number) => unknown): unknown {
  if (typeof form === 'number') return as(form);
  if (typeof form === 'string') {
    const counts = form.split(' + ').map((name) => call[name as keyof Call]);
    return counts.includes(undefined as never) ? form : as(counts.reduce((sum, count) => sum + count));
  }
  if (Array.isArray(form)) return form.map((item) => write(item, call, as));
  return Object.fromEntries(Object.entries(form as object).map(([key, item]) => [key, write(item, call, as)]));
}

describe('forms of usage', () => {
  for (const [kind, as] of Object.entries({ numbers: Number, text: String })) {
    it(`gives the same counts of one call, in all eight, as ${kind}`, () => {
      fc.assert(
        fc.property(calls, (sent) => {
          for (const [name, { writes, record }] of Object.entries(forms)) {
            const call = reported(sent, writes);
            const read = readModelUsage(write(record, call, as) as Record<string, unknown>);
            if (!read || 'unread' in read) expect.fail(`${name}: ${JSON.stringify(read)}`);
            const none = { cache_read_tokens: 0, cache_write_tokens: 0, cache_write_1h_tokens: 0 };
            expect({ ...none, ...read.counts }, name).to.deep.equal({
              input_tokens: call.input,
              cache_read_tokens: call.read,
              cache_write_tokens: call.write,
              cache_write_1h_tokens: call.write1h,
              output_tokens: call.output + call.reasoning,
            });
          }
        }),
        { numRuns: 200 },
      );
    });
  }
});
