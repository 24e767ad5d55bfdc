import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readModelUsage } from '../../../../shared/ingest/model-usage/read-model-usage.ts';
import cases from './model-usages.json' with { type: 'json' };

type UsageRecord = Record<string, unknown>;

/** Records as programs write them, with the counts that are read, and the model's first name. */
const understood: Record<string, { record: UsageRecord; counts: object; model?: string }> = cases.understood;
const unread: Record<string, { record: UsageRecord; reason: string }> = cases.unread;
const absent: readonly UsageRecord[] = cases.absent;

describe('usage of model calls', () => {
  for (const [title, { record, counts, model }] of Object.entries(understood)) {
    it(`reads ${title}`, () => {
      const read = readModelUsage(record);
      expect(read).to.have.property('counts').that.deep.equals(counts);
      expect(read && 'models' in read ? read.models[0] : null).to.equal(model);
    });
  }

  for (const [title, { record, reason }] of Object.entries(unread)) {
    it(`does not understand ${title}`, () => {
      expect(readModelUsage(record)).to.have.property('unread').that.includes(reason);
    });
  }

  it('finds no usage in other records', () => {
    for (const record of absent) expect(readModelUsage(record), JSON.stringify(record)).to.equal(undefined);
  });

  it('takes the model from the nearest place, and keeps the other names', () => {
    const usage = { prompt_tokens: 5, completion_tokens: 6 };
    const read = readModelUsage({
      usage: { ...usage, model: 'a' },
      modelId: 'b',
      response: { model: 'c' },
      response_metadata: { model_id: 'd' },
      gen_ai: { response: { model: 'e' }, request: { model: 'f' } },
      model_name: 'g',
    });
    expect(read).to.have.property('models').that.deep.equals(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('reads each example of docs/model-usage.md as the same call', () => {
    const page = readFileSync(new URL('../../../../docs/model-usage.md', import.meta.url), 'utf8');
    const examples = [...page.matchAll(/```json\n(.*)\n```/g)].map(([, json = '']) => json);
    expect(examples).to.have.length(8);
    for (const json of examples) {
      const read = readModelUsage(JSON.parse(json) as UsageRecord);
      const writes = json.includes('usageMetadata') ? {} : { cache_write_tokens: 30 };
      const input = json.includes('usageMetadata') ? 70 : 40;
      const expected = { input_tokens: input, cache_read_tokens: 1000, ...writes, output_tokens: 7 };
      expect(read, json).to.have.property('counts').that.deep.equals(expected);
      expect(read, json).to.have.property('models').that.has.length(1);
    }
  });
});
