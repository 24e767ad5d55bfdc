import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Command } from 'ioredis';
import { taggedPrefix } from '../../../shared/connections/redis-client.ts';
import { createIds, inStripeOf, stripeName, stripeOf, stripesToSearch } from '../../../shared/queues/stripes.ts';

describe('the stripes of a queue', () => {
  const slots = 16_384;
  const slotOf = (key: string) => new Command('get', [key]).getSlot();

  for (const [count, each] of [
    [3, 1],
    [6, 2],
    [9, 3],
  ] as const) {
    it(`${count} stripes of the ingest queue are spread evenly over the three masters of a Cluster`, () => {
      const masters = [0, 0, 0];
      for (let stripe = 0; stripe < count; stripe += 1) {
        const slot = slotOf(`${taggedPrefix('any', stripeName('ingest-entries', stripe))}:wait`);
        masters[Math.floor((slot * 3) / slots)]! += 1;
      }
      expect(masters).to.deep.equal([each, each, each]);
    });
  }

  it('stripes get equal shares of random ids, and an id follows another into its stripe', () => {
    const stripes = { used: 6, known: 6 };
    const counts = new Map<number, number>();
    for (let number = 0; number < 6_000; number += 1) {
      const [id, other] = [randomUUID(), randomUUID()];
      const stripe = stripeOf(id, stripes);
      counts.set(stripe, (counts.get(stripe) ?? 0) + 1);
      expect(stripeOf(inStripeOf(id, other), stripes)).to.equal(stripe);
    }
    expect([...counts.keys()]).to.have.members([0, 1, 2, 3, 4, 5]);
    for (const count of counts.values()) expect(count).to.be.within(800, 1_200);
  });

  for (const used of [1, 6, 7, 16]) {
    it(`new ids go to the stripes in turn, some in a row: ${used}`, () => {
      const newId = createIds({ used, known: used });
      const ids = Array.from({ length: 320 * used }, newId);
      for (const id of ids) expect(id).to.match(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
      expect(new Set(ids).size).to.equal(ids.length);
      const found = ids.map((id) => stripeOf(id, { used, known: used }));
      const counts = Array.from({ length: used }, (_, at) => found.filter((stripe) => stripe === at).length);
      expect(counts).to.deep.equal(counts.map(() => 320));
      const changes = found.filter((stripe, at) => at > 0 && stripe !== found[at - 1]).length;
      expect(changes).to.equal(used === 1 ? 0 : 20 * used - 1);
    });
  }

  it('stripes are all searched, that of the id first, whatever the job is named', () => {
    const id = `${randomUUID().slice(0, -4)}0007`;
    expect(stripesToSearch(id, ['a', 'b', 'c'], { used: 2, known: 3 })).to.deep.equal(['b', 'a', 'c']);
    expect(stripesToSearch(id, ['a', 'b', 'c'], { used: 1, known: 3 })).to.deep.equal(['a', 'b', 'c']);
    expect(stripesToSearch('purge', ['a'], { used: 1, known: 1 })).to.deep.equal(['a']);
    expect(stripesToSearch('no-uuid', ['a', 'b'], { used: 2, known: 2 })).to.deep.equal(['a', 'b']);
  });
});
