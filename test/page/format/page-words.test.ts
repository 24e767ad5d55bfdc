import { expect } from 'chai';
import type { Schema } from 'joi';
import { registerBody } from '../../../api/accounts/accounts.schema.ts';
import { apiKeyCreate } from '../../../api/accounts/api-keys.schema.ts';
import { pipelineItemRules } from '../../../api/cost/explanation.routes.ts';
import { check, Joi, periodFields, withPeriod } from '../../../api/http/input.ts';
import { differenceText } from '../../../page/compare/difference-text.ts';
import {
  entrySentence,
  faultSentence,
  fieldLabel,
  inPageWords,
  noteSentence,
} from '../../../page/format/page-words.ts';
import { settings } from '../../../page/scenario/design/settings.ts';
import { pipelineErrors, pipelineNotes } from '../../../shared/cost/pipeline/pipeline-errors.ts';
import { loadPriceBook } from '../../../shared/cost/price-book.ts';
import { validationMessage } from '../../../shared/errors.ts';
import type { Period } from '../../../shared/usage/periods.ts';

const book = loadPriceBook();

/** The only error of a value. */
function errorOf(schema: Schema, value: object): string {
  const result = check(schema, value);
  if (!('errors' in result)) return expect.fail('The value is accepted.');
  expect(result.errors).to.have.length(1);
  return result.errors[0]?.error ?? '';
}

describe('sentences of the API on the page', () => {
  it('a field is named by its label', () => {
    for (const [path, label] of [
      ['assumptions.function.memory_mb', 'Memory of the function'],
      ['[3].message', 'Message'],
      ['[3]', 'Entry'],
      ['some_new_field', 'Some new field'],
    ] as const) {
      expect(fieldLabel(path)).to.equal(label);
    }
    expect(inPageWords('name a volume with entries_per_month or entries_per_second.')).to.equal(
      'name a volume with “Entries a month” or “Entries a second”.',
    );
  });

  it('sentences say what is wrong in plain words', () => {
    const password = (text: string) => errorOf(registerBody, { email: 'a@example.com', password: text });
    const period = withPeriod<Period>(Joi.object(periodFields));
    const memory = Joi.object({ memory_mb: Joi.number().min(128).max(10_240) });
    const name = errorOf(apiKeyCreate, { name: '' });
    const id = '00000000-0000-4000-8000-000000000000';
    const errors = [1, 2].map(() => ({ field: 'a', error: 'is unknown' }));
    for (const [sentence, words] of [
      [faultSentence('Password', password('short')), 'Password must be at least 10 characters long.'],
      [
        faultSentence('Password', password('😀'.repeat(20))),
        'Password is too long: it can have 72 characters, and accented letters and emoji count as several.',
      ],
      [faultSentence('Scopes', errorOf(apiKeyCreate, { name: 'a', scopes: [] })), 'Scopes needs at least one choice.'],
      [
        faultSentence('From', errorOf(period, { from: '2026-05-02', to: '2026-05-01' })),
        'From must be before the second time.',
      ],
      [faultSentence('Memory', errorOf(memory, { memory_mb: 1 })), 'Memory must be at least 128, not 1.'],
      [inPageWords(validationMessage(errors)), 'The request is not valid: 2 errors.'],
      [inPageWords(`Scenario ${id} is draft.`), 'The scenario is draft.'],
      [inPageWords(`It must be completed; start and stop it: POST /${id}/start, then /stop.`), 'It must be completed.'],
      [noteSentence('Name', name), 'Enter a name.'],
      [noteSentence('E-mail address', name), 'Enter an e-mail address.'],
      [noteSentence('API key', name), 'Enter an API key.'],
      [noteSentence('Name', 'is unknown'), 'Name is unknown.'],
    ]) {
      expect(sentence).to.equal(words);
    }
  });

  it('sentences say why a design is refused by the labels of its settings', () => {
    const errorsOf = (pipeline: object, model = 'amazon.nova-lite-v1:0') =>
      pipelineErrors({ region: 'us-east-1', assumptions: { pipeline, inference: { model } } }, book);
    const cached = { cache_prompt: true, prompt_tokens: 5_000 };
    const refused = [
      errorsOf({ function: { batch_size: 11 } }),
      errorsOf({ inference: { ...cached, tier: 'batch' } }),
      errorsOf({ inference: { cache_prompt: true } }),
      errorsOf({ inference: cached }),
    ].flat();
    expect(refused.map(({ field, error }) => faultSentence(fieldLabel(field), error))).to.deep.equal([
      'Window must be at least 1 where one invocation takes more than 10 messages.',
      'Cache the instruction cannot be used with batch jobs.',
      'Cache the instruction needs an instruction of at least one token.',
      'Cache the instruction is not possible: the price book has no cache prices for amazon.nova-lite-v1:0 in us-east-1.',
    ]);
    const [first] = refused;
    expect(inPageWords(`It cannot start: ${first?.field} ${first?.error}. Change it first.`)).to.equal(
      'It cannot start: “Window” must be at least 1 where one invocation takes more than 10 messages. Change it first.',
    );
  });

  it('sentences name the entry of a file that is rejected', () => {
    expect(entrySentence(4, 'message', 'must be a string')).to.equal('Entry 4: Message must be a string.');
    expect(entrySentence(4, 'body', 'must be valid JSON')).to.equal('Entry 4 must be valid JSON.');
  });

  it('sentences keep what people have named', () => {
    const sentence = 'Another scenario has the name "batch_size, a cached prompt of bytes of UTF-8".';
    expect(inPageWords(sentence)).to.equal(sentence);
    expect(inPageWords('Another scenario has the name "my_app_log".')).to.contain('my_app_log');
  });

  it('each setting of a design has its label', () => {
    for (const { name, label, kind } of Object.values(settings).flat()) {
      // Both fields are named levels.
      if (kind === 'levels') expect(label).to.match(new RegExp(`^${fieldLabel(`pipeline.${name}`)} that `));
      else expect(fieldLabel(`pipeline.${name}`)).to.equal(label);
    }
  });

  it('notes and rules contain no name of a field', () => {
    for (const text of [...pipelineNotes, ...Object.values(pipelineItemRules)]) {
      expect(inPageWords(text)).not.to.match(/[a-z]_[a-z]|`/);
    }
    for (const note of pipelineNotes) expect(inPageWords(note)).not.to.match(/record|prompt/);
  });
});

describe('the text of a difference', () => {
  for (const [amount, share, text] of [
    ['0.123400000000', '0.0340', '$0.12 more (+3.40\u00a0%)'],
    ['-1234.560000000000', '-0.5000', '$1,234.56 less (−50.00\u00a0%)'],
    // Two significant digits below a cent.
    ['0.000100000000', '0.2000', '$0.00010 more (+20.00\u00a0%)'],
    // The first amount is zero.
    ['2.000000000000', null, '$2.00 more'],
    ['0.000000000000', '0.0000', 'no difference'],
  ] as const) {
    it(`of ${amount} is ${text}`, () => expect(differenceText({ amount, share })).to.equal(text));
  }

  it('says that an amount is not known', () => expect(differenceText(null)).to.equal('difference not known'));
});
