import { expect } from 'chai';
import type { Schema } from 'joi';
import { apiKeyCreate } from '../../../api/accounts/api-keys.schema.ts';
import { registerBody } from '../../../api/accounts/auth.schema.ts';
import { pipelineItemRules } from '../../../api/cost/explained-lines.ts';
import { Joi } from '../../../api/http/joi.ts';
import { periodFields, withPeriod } from '../../../api/http/period.ts';
import { check } from '../../../api/http/validate.ts';
import { priceBookVersion } from '../../../api/scenarios/assumptions.schema.ts';
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
    expect(fieldLabel('assumptions.function.memory_mb')).to.equal('Memory of the function');
    expect(fieldLabel('[3].message')).to.equal('Message');
    expect(fieldLabel('[3]')).to.equal('Entry');
    expect(fieldLabel('some_new_field')).to.equal('Some new field');
    expect(inPageWords('name a volume with entries_per_month or entries_per_second.')).to.equal(
      'name a volume with “Entries a month” or “Entries a second”.',
    );
  });

  it('sentences say what is wrong in plain words', () => {
    const password = (text: string) => errorOf(registerBody, { email: 'a@example.com', password: text });
    expect(faultSentence('Password', password('short'))).to.equal('Password must be at least 10 characters long.');
    expect(faultSentence('Password', password('😀'.repeat(20)))).to.equal(
      'Password is too long: it can have 72 characters, and accented letters and emoji count as several.',
    );
    expect(faultSentence('Scopes', errorOf(apiKeyCreate, { name: 'a', scopes: [] }))).to.equal(
      'Scopes needs at least one choice.',
    );
    const period = withPeriod<Period>(Joi.object(periodFields));
    expect(faultSentence('From', errorOf(period, { from: '2026-05-02', to: '2026-05-01' }))).to.equal(
      'From must be before the second time.',
    );
    const version = errorOf(Joi.object({ price_book: priceBookVersion() }), { price_book: 'the newest' });
    expect(faultSentence('Price book', version)).to.equal(
      'Price book "the newest" is not a version of the price book.',
    );
    const memory = Joi.object({ memory_mb: Joi.number().min(128).max(10_240) });
    expect([1, 20_000].map((value) => faultSentence('Memory', errorOf(memory, { memory_mb: value })))).to.deep.equal([
      'Memory must be at least 128, not 1.',
      'Memory must be at most 10240, not 20000.',
    ]);
    const errors = [{ field: 'a', error: 'is unknown' }];
    expect(inPageWords(validationMessage([...errors, ...errors]))).to.equal('The request is not valid: 2 errors.');
    const id = '00000000-0000-4000-8000-000000000000';
    expect(inPageWords(`Scenario ${id} is draft.`)).to.equal('The scenario is draft.');
    expect(inPageWords(`It must be completed; start and stop it: POST /${id}/start, then /stop.`)).to.equal(
      'It must be completed.',
    );
    const name = errorOf(apiKeyCreate, { name: '' });
    const labels = ['Name', 'E-mail address', 'API key'];
    expect(labels.map((label) => noteSentence(label, name))).to.deep.equal([
      'Enter a name.',
      'Enter an e-mail address.',
      'Enter an API key.',
    ]);
    expect(noteSentence('Name', 'is unknown')).to.equal('Name is unknown.');
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
