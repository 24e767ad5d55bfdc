import type { CustomHelpers } from 'joi';
import { type Static, Type } from 'typebox';
import type { Money } from '../../shared/cost/money.ts';
import {
  differencesOf,
  hasUnpricedCalls,
  ofEach,
  presentCosts,
  presentPeriod,
  presentServices,
  presentVersion,
} from '../../shared/cost/present-cost.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { requireVersion } from '../../shared/cost/price-books.ts';
import { ofServices, type Service } from '../../shared/cost/price-line.ts';
import { type Cost, type CostStatus, costStatuses } from '../../shared/cost/price-month.ts';
import { type MonthsCost, priceMonths, pricingOf, readMonths } from '../../shared/cost/scenario-cost.ts';
import { isUuid } from '../../shared/crypto/sha256.ts';
import { quoted } from '../../shared/quoted.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { Joi, periodFields, withPeriod } from '../http/input.ts';
import { json, reply } from '../http/response.ts';
import { count, described, named, nullable, oneOf, uuid } from '../http/response-types.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { priceBookVersion } from '../scenarios/assumptions.schema.ts';
import { findScenario } from '../scenarios/scenarios.store.ts';
import { costRead, createReadSlots } from './cost-read.ts';
import { differences } from './designs.schema.ts';
import { costByService, metricsLine, usedPriceBook, wholePeriod } from './metrics.schema.ts';

interface ComparisonQuery extends Period {
  ids: string[];
  price_book?: string;
}

const minScenarios = 2;
const maxScenarios = 10;

const comparisonQuery = withPeriod(
  Joi.object<ComparisonQuery>({
    ids: Joi.string()
      .required()
      .custom((text: string, helpers: CustomHelpers) => {
        const ids = text.split(',').map((id) => id.trim().toLowerCase());
        if (ids.length < minScenarios || ids.length > maxScenarios)
          return helpers.error('ids.count', { count: ids.length });
        const malformed = ids.findIndex((id) => !isUuid(id));
        if (malformed !== -1) return helpers.error('ids.form', { id: quoted(ids[malformed]), position: malformed + 1 });
        return new Set(ids).size === ids.length ? ids : helpers.error('ids.unique');
      })
      .messages({
        'ids.count': `must be ${minScenarios} to ${maxScenarios} scenario ids, separated by commas, not {{#count}}`,
        'ids.form': 'must be UUIDs, separated by commas; number {{#position}} is {{#id}}',
        'ids.unique': 'must not contain an id twice',
      })
      .description('Ids of 2 to 10 scenarios, separated by commas. Differences are those from the first one.')
      .example('6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11,0c2f7a9e-3b41-4f6d-8f52-91d6a4e7b320'),
    price_book: priceBookVersion().description(
      'Prices all scenarios by this version of the price book. Default: each by its own.',
    ),
    ...periodFields,
  }),
);

const ids = Type.Array(uuid());
const comparedBy = ['cost', 'cost_per_1000_entries'] as const;

const comparedScenario = Type.Object({
  id: uuid(),
  name: Type.String(),
  region: Type.String(),
  price_book: usedPriceBook,
  period: wholePeriod,
  logs: count(),
  cost: costByService(),
  cost_per_1000_entries: nullable(costByService(), { description: 'Null without entries.' }),
  cost_breakdown: Type.Array(metricsLine),
  status: oneOf(costStatuses),
  incomplete: Type.Boolean(),
  difference: Type.Object(differences.properties, {
    description: 'From the first scenario, of what `compared_by` names.',
  }),
  price_difference: Type.Optional(
    Type.Object(differences.properties, {
      description: 'With `price_book`: how much more that is than with the prices of the scenario itself.',
    }),
  ),
});

export const comparisonResponse = named('Comparison', {
  currency: Type.Unsafe<string>({ type: 'string', const: 'USD' }),
  price_book: Type.Object(usedPriceBook.properties, {
    description: 'The price book of the first scenario. Each scenario names its own.',
  }),
  compared_by: oneOf(comparedBy),
  items: Type.Array(comparedScenario, { description: 'In the order of the ids.' }),
  cheapest: described('Ids: several if they cost the same, none if no scenario has a complete cost.', {
    ...ofServices(() => ids),
    total: ids,
  }),
});

interface ComparedScenario {
  scenario: Pick<Scenario, '_id' | 'name' | 'region'>;
  /** The prices of `cost`. */
  book: PriceBook;
  cost: MonthsCost;
  /** The cost at the prices of the scenario itself, if they are others. */
  own?: MonthsCost;
}

/** @param compared at least one. */
function presentComparison(compared: readonly ComparedScenario[]): Static<typeof comparisonResponse> {
  const [first] = compared as readonly [ComparedScenario];
  const isSameVolume = compared.every(({ cost }) => BigInt(cost.usage.logs) === BigInt(first.cost.usage.logs));
  const basisOf = (cost: MonthsCost): Cost => (isSameVolume ? cost : perThousand(cost));
  return {
    currency: first.book.currency,
    price_book: presentVersion(first.book),
    compared_by: isSameVolume ? 'cost' : 'cost_per_1000_entries',
    items: compared.map(({ scenario, book, cost, own }) => ({
      id: scenario._id,
      name: scenario.name,
      region: scenario.region,
      price_book: presentVersion(book),
      period: presentPeriod(cost.period),
      logs: Number(cost.usage.logs),
      cost: presentCosts(cost),
      cost_per_1000_entries: cost.usage.logs < 1 ? null : presentCosts(perThousand(cost)),
      cost_breakdown: presentServices(cost),
      status: cost.total.status,
      incomplete: cost.total.incomplete || hasUnpricedCalls(cost.usage),
      difference: differencesOf(basisOf(first.cost), basisOf(cost)),
      ...(own && { price_difference: differencesOf(own, cost) }),
    })),
    cheapest: ofEach(first.cost, (_cost, part) => cheapestOf(compared, isSameVolume, part)),
  };
}

/** The cost of 1,000 entries, in whole units of money; unknown without entries. */
function perThousand({ usage, services, total }: MonthsCost): Cost {
  const logs = BigInt(usage.logs);
  const scale = <Cost extends { amount: Money | null; status: CostStatus }>(part: Cost): Cost =>
    logs === 0n
      ? { ...part, amount: null, status: 'missing' }
      : { ...part, amount: part.amount === null ? null : (part.amount * 1_000n) / logs };
  return { services: ofServices((service) => scale(services[service])), total: scale(total) };
}

/** A cost that is known in part only is never the cheapest. Shares are compared exactly. */
function cheapestOf(compared: readonly ComparedScenario[], isSameVolume: boolean, part: Service | 'total'): string[] {
  let ids: string[] = [];
  let least: { amount: Money; logs: bigint } | undefined;
  for (const { scenario, cost } of compared) {
    const { amount, status } = part === 'total' ? cost.total : cost.services[part];
    const logs = isSameVolume ? 1n : BigInt(cost.usage.logs);
    const hasCalls = part === 'total' || part === 'inference';
    if (amount === null || status === 'missing' || logs === 0n || (hasCalls && hasUnpricedCalls(cost.usage))) continue;
    const difference = least ? amount * least.logs - least.amount * logs : -1n;
    if (difference === 0n) ids.push(scenario._id);
    if (difference >= 0n) continue;
    ids = [scenario._id];
    least = { amount, logs };
  }
  return ids;
}

/** `GET /api/v1/scenarios/compare`: the costs of several scenarios side by side. */
export function comparisonRoutes(): Route[] {
  const withSlot = createReadSlots();
  return [
    defineRoute({
      ...costRead,
      method: 'GET',
      path: '/api/v1/scenarios/compare',
      operationId: 'compareScenarios',
      summary: 'Compare the costs of several scenarios',
      query: comparisonQuery,
      responses: { 200: json(comparisonResponse) },
      errors: { NOT_FOUND: 'One of the scenarios does not exist.' },
      handle: async ({ query: { ids, price_book: version, ...period }, scenarios, caller }, deps) => {
        const found = await Promise.all(ids.map((id) => findScenario(scenarios, id)));
        const common = version === undefined ? undefined : await requireVersion(deps, version);
        const compared = await withSlot(caller, async () => {
          const costs: ComparedScenario[] = [];
          for (const scenario of found) {
            const pricing = await pricingOf(scenario, deps);
            const usage = await readMonths(deps, scenario._id, { ...pricing, ...period });
            const own = await priceMonths(usage, pricing);
            const { book } = pricing;
            const cost = common && (await priceMonths(usage, { ...pricing, book: common, countedBy: book }));
            costs.push({ scenario, book: common ?? book, cost: cost ?? own, ...(cost && { own }) });
          }
          return costs;
        });
        return reply(200, presentComparison(compared));
      },
    }),
  ];
}
