import { expect } from 'chai';
import { bookStatus } from '../../../scripts/prices/output.ts';
import { bookLines } from '../../../shared/cost/book-lines.ts';
import type { PriceBookFile } from '../../../shared/cost/price-book-file.ts';
import { keyOf } from '../../../shared/cost/price-line.ts';
import { changedBook } from '../../support/changed-book.ts';

const now = new Date('2027-06-01T00:00:00Z');
const model = 'amazon.nova-lite-v1:0';

describe('the status of the price book', () => {
  const statusOf = (file: PriceBookFile) => bookStatus(file, now);
  /** The book after a refresh that confirms all but so many prices of the model. */
  const refreshed = (unconfirmed: number) =>
    changedBook((file) => {
      const lines = [...bookLines(file).values()].filter(({ item }) => item === model);
      const evidence = { effective_from: null, as_of: '2027-05-31', sources: [file.sources[0]!.id] };
      file.evidence = Object.fromEntries(lines.slice(unconfirmed).map((line) => [keyOf(line), evidence]));
    });

  it('lists a model as old until a refresh has confirmed each of its prices', () => {
    const isOld = (file: PriceBookFile) => statusOf(file).old_models.some((row) => row.model === model);
    expect([0, 1].map((unconfirmed) => isOld(refreshed(unconfirmed)))).to.deep.equal([false, true]);
  });

  it('has the oldest evidence of a service, so that a refresh of all its prices makes it new', () => {
    const file = changedBook((book) => {
      const evidence = { effective_from: null, as_of: '2027-05-31', sources: [book.sources[0]!.id] };
      const lines = [...bookLines(book).values()].filter(({ service }) => service === 'function');
      book.evidence = Object.fromEntries(lines.map((line) => [keyOf(line), evidence]));
    });
    const ageOf = (part: string) => statusOf(file).parts.find((row) => row.part === part)?.age_days;
    expect([ageOf('function'), ageOf('inference')]).to.deep.equal([1, 575]);
  });
});
