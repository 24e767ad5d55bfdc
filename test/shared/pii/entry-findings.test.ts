import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  canHaveFinding,
  countFindings,
  fieldsToScan,
  findInEntry,
  findInFields,
} from '../../../shared/pii/entry-findings.ts';
import { NATIONAL_IDS } from '../../../shared/pii/national-ids.ts';
import { NATIONAL_ID_VALUES, scan } from './values.ts';

const inRecord = (record: object, text = JSON.stringify(record)) =>
  countFindings(
    findInEntry({ message: 'paid', ...fieldsToScan(record as Record<string, unknown>, text) }, scan).located,
  );
const email = (...fields: string[]) => ({ type: 'email', count: 1, fields });
const card = (...fields: string[]) => ({ type: 'payment_card', count: 1, fields });

describe('the scan of fields', () => {
  const rows: [what: string, record: object, found: object[]][] = [
    ['a text', { card: '4111 1111 1111 1111' }, [card('card')]],
    ['a number', { cvc: 123, card_no: 4111111111111111 }, [card('card_no')]],
    ['a nested field', { user: { email: 'mia.k@example.org', age: 41 } }, [email('user.email')]],
    ['a field with a dot in its name', { 'user.email': 'mia.k@example.org' }, [email('user.email')]],
    [
      'the key of an enclosing value',
      { pesel: { kind: 'bare', value: '44051401359' } },
      [{ type: 'national_id', country: 'PL', count: 1, fields: ['pesel.value'] }],
    ],
    ['the key of another value', { pesel: null, number: '44051401359' }, []],
    [
      'items of lists',
      { to: ['a@example.org', { cc: ['b@example.org', 'c@example.org'] }] },
      [{ type: 'email', count: 3, fields: ['to', 'to.cc'] }],
    ],
    ['a name', { seen: { 'mia.k@example.org': 1 } }, [email('seen.[EMAIL]')]],
    [
      'a field of such a name',
      { 'mia.k@example.org': { card: '4111 1111 1111 1111' } },
      [email('[EMAIL]'), card('[EMAIL].card')],
    ],
    ['a text with escapes', { 'q"\\': 'to=\n"mia.k%40example.org"\\u0041' }, [email('q"\\')]],
    [
      'words, hashes, times and small numbers',
      {
        at: '2026-05-01T12:00:00.123456789Z',
        trace_id: '4f3a9c0d1e2b4a5f8c7d6e5f4a3b2c1d',
        span: '00f067aa0ba902b7',
        id: '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11',
        host: 'web-17.internal',
        ip: '10.203.17.250:53211',
        ok: true,
        none: null,
        ms: 999_999.5,
      },
      [],
    ],
  ];
  for (const [what, record, found] of rows) {
    it(`reads ${what}`, () => expect(inRecord(record)).to.deep.equal(found));
  }

  it('keeps the digits of numbers as they were sent', () => {
    const text = '{"a": 6222021234567890009, "list": [{"card_no": 6222021234567890003}], "b": -1e30}';
    expect(inRecord(JSON.parse(text), text)).to.deep.equal([card('list.card_no')]);
  });

  it('finds the same numbers as in lines of text and in JSON, under every label', () => {
    const summary = (findings: readonly { type: string; country?: string }[]) =>
      findings.map(({ type, country }) => `${type} ${country}`);
    let differences = 0;
    for (const { scheme, keywords } of NATIONAL_IDS) {
      for (const value of NATIONAL_ID_VALUES[scheme]?.valid ?? []) {
        const label = keywords.find((keyword) => /^[a-z]+$/.test(keyword)) ?? keywords[0] ?? '';
        const expected = summary(scan(`${label}=${value}`));
        const forms = [`{"${label}": "${value}"}`, JSON.stringify({ [label]: value })].map((text) =>
          summary(scan(text)),
        );
        const { fields = '' } = fieldsToScan({ user: 'x', [label]: value });
        for (const form of [...forms, summary(findInFields(fields, scan))]) {
          expect(form, `${label} ${value}`).to.deep.equal(expected);
        }
        differences += expected.length;
      }
    }
    expect(differences).to.be.greaterThan(100);
  });

  it('names eight fields, and counts the others', () => {
    const record = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`to${at}`, `a${at}@example.org`]));
    expect(inRecord(record)).to.deep.equal([
      { type: 'email', count: 11, fields: Array.from({ length: 8 }, (_, at) => `to${at}`), more_fields: 3 },
    ]);
  });

  it('adds its findings to those of the message, and to those that entries share', () => {
    const shared = findInFields('{"owner":"ops@example.org"}', scan);
    const entry = { message: 'from a@example.org', ...fieldsToScan({ to: 'b@example.org' }) };
    const { inMessage, located } = findInEntry(entry, scan, shared);
    expect(inMessage.map(({ start }) => start)).to.deep.equal([5]);
    expect(countFindings(located)).to.deep.equal([{ type: 'email', count: 3, fields: ['to', 'owner'] }]);
  });

  it('names the fields in a message that is a part of the record', () => {
    const message = '{"user":{"email":"mia.k@example.org"},"list":[[1,{"card":"4111 1111 1111 1111"}]]}';
    const ofPart = (messagePath: string) => countFindings(findInEntry({ message, messagePath }, scan).located);
    expect(ofPart('')).to.deep.equal([email('user.email'), card('list.card')]);
    expect(ofPart('body')).to.deep.equal([email('body.user.email'), card('body.list.card')]);
    expect(countFindings(findInEntry({ message }, scan).located)[0]).to.deep.equal({ type: 'email', count: 1 });
  });

  it('leaves out the message, also one that is nested', () => {
    const record = { event: { original: 'a@example.org', kind: 'b@example.org' }, message: 'c@example.org' };
    expect(fieldsToScan(record, '', ['message']).fields).not.to.include('c@');
    expect(fieldsToScan(record, '', ['event.original']).fields).to.match(/^(?!.*a@).*b@.*c@/);
  });

  it('ends after 16 KiB, which can be within a value', () => {
    const record = { list: Array.from({ length: 2000 }, (_, at) => `a${at}@example.org`) };
    const { fields = '' } = fieldsToScan(record);
    expect(fields.length).to.equal(16 * 1024);
    expect(findInFields(fields, scan).every(({ path }) => path === 'list')).to.equal(true);
    expect(findInFields(fields, scan).length).to.be.within(700, 900);
  });
});

describe('the test for texts without findings', () => {
  it('passes every value that the scanner finds', () => {
    const values = Object.values(NATIONAL_ID_VALUES).flatMap(({ valid }) => valid);
    for (const file of ['development', 'held-out']) {
      const lines = readFileSync(`test/fixtures/pii/${file}.jsonl`, 'utf8').trim().split('\n');
      for (const line of lines) {
        const { findings } = JSON.parse(line) as { findings: { value: string }[] };
        values.push(...findings.map(({ value }) => value));
      }
    }
    expect(values.length).to.be.greaterThan(500);
    expect(values.filter((value) => !canHaveFinding(value) || !canHaveFinding(value.toLowerCase()))).to.deep.equal([]);
    const escaped = ['mia.k=40example.org', 'mia.k%40example.org', 'mia.k&#64;example.org', '４１１１'];
    expect(escaped.filter((value) => !canHaveFinding(value))).to.deep.equal([]);
  });
});
