import { type Static, Type } from 'typebox';
import { formatExactMoney } from '../../shared/cost/money.ts';
import type { MonthsCost } from '../../shared/cost/monthly-usage.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { differenceOf, pairLines } from '../../shared/cost/price-difference.ts';
import type { Terms } from '../../shared/cost/what-if.ts';
import { nullable } from '../http/response-types.ts';
import { atListPrices, exact, explainedLine, linePresenter } from './explained-lines.ts';

const { service, item, of, rule, unit, free, tier, ...figures } = explainedLine.properties;

const pricedLine = nullable(Type.Object(figures), { description: 'Null if the line has no units on these terms.' });

export const differenceLines = Type.Array(
  Type.Object({
    service,
    item,
    of,
    rule,
    unit,
    free,
    tier,
    present: pricedLine,
    estimate: pricedLine,
    difference: nullable(exact(), { description: 'In USD, not rounded; null if one side has no price.' }),
  }),
  { description: 'The lines of all months together. Their differences add up to that of the total.' },
);

/** The cost of a scenario, and the terms and prices on which it is priced. */
interface PricedSide {
  cost: MonthsCost;
  terms: Terms;
  book: PriceBook;
}

/** The difference between two costs by line, each with its price, source and date on both sides. */
export function presentDifference(present: PricedSide, estimate: PricedSide): Static<typeof differenceLines> {
  const lines = ({ cost }: PricedSide) =>
    cost.months.map(({ month, lines: ofMonth }) => ({ month, lines: ofMonth.flatMap(atListPrices) }));
  const presenterOf = ({ book, terms }: PricedSide) => linePresenter(book, terms.assumptions.pipeline !== undefined);
  const [presentLine, estimateLine] = [presenterOf(present), presenterOf(estimate)];
  return pairLines(lines(present), lines(estimate)).map((pair) => {
    const { first, second } = pair;
    const [own, other] = [first && presentLine(first), second && estimateLine(second)];
    const common = (other ?? own) as ReturnType<typeof presentLine>;
    const difference = differenceOf(pair);
    return {
      service: common.service,
      item: common.item,
      of: common.of,
      rule: common.rule,
      unit: common.unit,
      free: common.free,
      tier: common.tier,
      present: own ? figuresOf(own) : null,
      estimate: other ? figuresOf(other) : null,
      difference: difference === null ? null : formatExactMoney(difference),
    };
  });
}

function figuresOf({ quantity, unit_price, amount, status, price_source, override }: Static<typeof explainedLine>) {
  return { quantity, unit_price, amount, status, price_source, ...(override && { override }) };
}
