import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readModelUsage } from '../../../../shared/ingest/model-usage/read-model-usage.ts';

const page = readFileSync(new URL('../../../../docs/model-usage.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```json\n(.*)\n```/g)].map(([, json = '']) => json);

describe('docs/model-usage.md', () => {
  it('has an example of each form, which are read as one call', () => {
    expect(examples).to.have.length(8);
    for (const json of examples) {
      const read = readModelUsage(JSON.parse(json) as Record<string, unknown>);
      const writes = json.includes('usageMetadata') ? {} : { cache_write_tokens: 30 };
      const input = json.includes('usageMetadata') ? 70 : 40;
      const expected = { input_tokens: input, cache_read_tokens: 1000, ...writes, output_tokens: 7 };
      expect(read, json).to.have.property('counts').that.deep.equals(expected);
      expect(read, json).to.have.property('models').that.has.length(1);
    }
  });
});
