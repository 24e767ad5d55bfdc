import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { check } from '../../../api/http/validate.ts';
import { createEntryGuard } from '../../../api/ingest/entry-guard.ts';
import { logEntrySchema } from '../../../api/ingest/ingest.schemas.ts';
import { loadPriceBook } from '../../../shared/cost/price-book.ts';
import { isLongForm } from '../../support/long-form.ts';

const book = loadPriceBook();
const schema = logEntrySchema(book);
const guard = createEntryGuard(book);

/** Values of other types. */
const others = [
  null,
  '',
  -0,
  1,
  1.5,
  1e16,
  Number.POSITIVE_INFINITY,
  true,
  [],
  ['a'],
  {},
  { a: 1 },
  '{"input_tokens":1}',
];
/** Mostly what a field takes. */
const field = (usual: fc.Arbitrary<unknown>, ...wrong: unknown[]) =>
  fc.oneof({ weight: 25, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...wrong, ...others) });
const oneOf = (...values: unknown[]) => fc.constantFrom(...values);
const sparse: { requiredKeys: never[]; noNullPrototype: true } = { requiredKeys: [], noNullPrototype: true };

const name = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('constructor', 'toString', 'message', 'a\nb'));
const scalar = fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.double({ noNaN: true }), fc.boolean());
const message = field(
  fc.string({ maxLength: 20 }).map((text) => `a${text}`),
  'x'.repeat(262_144),
  'é'.repeat(131_073),
);
const text = field(
  fc.oneof(fc.string({ maxLength: 12, unit: 'binary' }), oneOf('x'.repeat(64), '\u{1f600}'.repeat(64))),
  '\u{1f600}'.repeat(65),
  'x'.repeat(513),
);
const tokens = field(oneOf(0, 1, 10_000_000), 10_000_001, -1, 0.5);
const usage = fc.record(
  {
    function_duration_ms: field(oneOf(0, -0, 0.5, 900_000), 900_001, -1),
    function_memory_mb: field(oneOf(128, 10_240), 127, 10_241, 512.5),
    input_tokens: tokens,
    output_tokens: tokens,
    model: field(oneOf('amazon.nova-micro-v1:0', 'amazon.nova-pro-v1:0'), 'amazon.none'),
  },
  sparse,
);
const instants = ['2026-05-01', '2026-05-01T12:00:00Z', '2026-05-01T12:00:00.5+02', 1777636800, 1777636800123, 0.5];
const fields = fc.record(
  {
    message,
    timestamp: field(oneOf(...instants), '2026-02-30', -1, 1e300, 'now'),
    source: text,
    level: text,
    usage: field(usage),
    attributes: field(fc.dictionary(name, field(scalar), { maxKeys: 4, noNullPrototype: true })),
  },
  sparse,
);
const more = fc.oneof(
  { weight: 20, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ log: message, msg: message }, sparse) },
  { weight: 1, arbitrary: fc.dictionary(name, scalar, { maxKeys: 1, noNullPrototype: true }) },
);
const entry = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.tuple(message, fields, more).map(([sent, ...parts]) => Object.assign({ message: sent }, ...parts)),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(message, fields, more)
      .map(([log, { message: msg, ...rest }, part]) => Object.assign(msg === 1.5 ? { log, msg } : { log }, rest, part)),
  },
  { weight: 3, arbitrary: fc.tuple(fields, more).map((parts) => Object.assign({}, ...parts)) },
  { weight: 1, arbitrary: oneOf(...others) },
);

describe('the guard of log entries', () => {
  it('accepts what the schema accepts, with the same value', () => {
    let accepted = 0;
    const property = fc.property(entry, (value: unknown) => {
      const bySchema = check(schema, value, { forbidden: [], onlyFirst: true });
      const byGuard = guard(value);
      if (byGuard !== undefined) {
        accepted += 1;
        return isDeepStrictEqual(bySchema, { value: byGuard });
      }
      // The schema alone parses a text as an object, and converts -0.
      const { usage: sentUsage, attributes } = (value ?? {}) as Record<string, unknown>;
      const isLeft = [value, sentUsage, attributes].some((part) => typeof part === 'string');
      return 'errors' in bySchema || isLeft || Object.values(sentUsage ?? {}).some((part) => Object.is(part, -0));
    });
    const numRuns = isLongForm ? 100_000 : 4_000;
    fc.assert(property, { numRuns, seed: 20_261_122 });
    expect(accepted).to.be.within(0.3 * numRuns, 0.9 * numRuns);
  });

  it('does not change the value of its caller', () => {
    const sent = { log: 'a', timestamp: '2026-05-01' };
    expect(guard(sent)).to.deep.equal({ message: 'a', timestamp: Date.UTC(2026, 4, 1) });
    expect(sent).to.deep.equal({ log: 'a', timestamp: '2026-05-01' });
  });
});
