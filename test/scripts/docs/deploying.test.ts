import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import mongoose, { type Model } from 'mongoose';
import { createModels } from '../../../shared/models/index.ts';
import { uniqueNames } from '../../../shared/models/scenario.model.ts';

const text = readFileSync(new URL('../../../docs/deploying.md', import.meta.url), 'utf8');
const rows = [...text.matchAll(/^\| `(\w+)` +\|[^|]*\|([^|]*)\|/gm)].map(([, collection = '', unique = '']) => ({
  collection,
  unique: [...unique.matchAll(/`([\w.]+)`/g)].map(([, field]) => field),
}));

describe('docs/deploying.md', () => {
  it('names every collection with its unique indexes', () => {
    const models: Model<unknown>[] = Object.values(createModels(mongoose.createConnection()));
    const expected = models.map(({ schema, collection }) => ({
      collection: collection.name,
      unique:
        collection.name === 'scenarios'
          ? [uniqueNames.team, uniqueNames.own].flatMap((fields) => Object.keys(fields))
          : schema
              .indexes()
              .filter(([, options]) => options.unique)
              .flatMap(([fields]) => Object.keys(fields)),
    }));
    const byName = (a: { collection: string }, b: { collection: string }) => a.collection.localeCompare(b.collection);
    expect(rows.sort(byName)).to.deep.equal(expected.sort(byName));
  });
});
