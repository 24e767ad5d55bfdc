import { expect } from 'chai';
import { loadPriceBook } from '../../../shared/cost/price-book.ts';
import { unknownModel, unknownRegion, unknownVersion } from '../../../shared/cost/unknown-name.ts';

const book = loadPriceBook();
const lists = (what: string) => `GET /api/v1/${what} lists them`;

describe('the error of a name that the price book does not have', () => {
  it('names the nearest region', () => {
    for (const sent of ['eu-west', 'EU-WEST-1', 'euwest1', 'eu_west_1', 'eu-wset-1']) {
      expect(unknownRegion(sent, book)).to.equal(
        `"${sent}" is not a region; did you mean eu-west-1? ${lists('regions')}`,
      );
    }
    expect(unknownRegion('mars-1', book)).to.equal(`"mars-1" is not a region; ${lists('regions')}`);
  });

  it('names the nearest models', () => {
    const suggested = (sent: string) => /did you mean (.*)\?/.exec(unknownModel(sent, book))?.[1]?.split(/, | or /);
    expect(suggested('claude-haiku-9')?.[0]).to.equal('anthropic.claude-haiku-4-5-20251001-v1:0');
    expect(suggested('claude-haiku-9')).to.have.length(3);
    expect(suggested('gpt-4o')?.every((id) => id.startsWith('openai.gpt-'))).to.equal(true);
    expect(suggested('us.anthropic.claude-sonnet-4-5-20250929-v1:0')?.[0]).to.equal(
      'anthropic.claude-sonnet-4-5-20250929-v1:0',
    );
    expect(suggested('nova-lite')).to.deep.equal(['amazon.nova-lite-v1:0', 'amazon.nova-2-lite-v1:0']);
    for (const sent of ['', 'x', '\0', '?'.repeat(100_000)]) {
      expect(unknownModel(sent, book)).to.match(/ is not a model; GET \/api\/v1\/models lists them$/);
    }
  });

  it('names the version that lacks it', () => {
    expect(unknownRegion('eu-west', book, '2026-01-01-000000000000')).to.equal(
      `"eu-west" is not a region in version 2026-01-01-000000000000 of the price book; did you mean eu-west-1? ${lists('price-books/2026-01-01-000000000000')}`,
    );
    expect(unknownVersion('newest')).to.equal(`"newest" is not a version of the price book; ${lists('price-books')}`);
  });
});
