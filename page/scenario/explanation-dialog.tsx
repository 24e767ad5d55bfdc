import { formatExactUsd, formatNumber } from '../../shared/amounts.ts';
import type { Explanation, Service } from '../client/responses.ts';
import { Amount } from '../components/amount.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/states.tsx';
import { ListTable, numberColumn } from '../components/table.tsx';
import { estimatedNote, lineStatusNames, serviceNames } from '../format/names.ts';
import { inPageWords } from '../format/page-words.ts';
import { useModels } from '../scenarios/scenario-queries.ts';
import type { PartProps } from './part-props.ts';
import { useExplanation } from './sentence.tsx';

type Line = Explanation['months'][number]['lines'][number];

interface ExplanationDialogProps extends Pick<PartProps, 'scenario' | 'bounds' | 'version'> {
  /** Null: all services. */
  readonly service: Service | null;
  readonly close: () => void;
}

/** Where an amount comes from: quantity, rule, price and the source of the price. */
export function ExplanationDialog({ scenario, bounds, version, service, close }: ExplanationDialogProps) {
  const query = useExplanation(scenario, version, bounds);
  return (
    <Dialog title={service === null ? 'Why it costs this much' : serviceNames[service]} close={close} isWide>
      <Loaded query={query} what="the explanation">
        {({ months, price_book: book, totals, cost_breakdown: services }) => {
          const lines = months.flatMap(({ month, lines: all }) =>
            all.filter((line) => service === null || line.service === service).map((line) => ({ month, line })),
          );
          const total = service === null ? totals.cost : services.find((line) => line.service === service)?.cost;
          return (
            <>
              <p class="hint">
                Prices of {book.as_of}, version {book.version}. Free amounts and tiers apply to each month in UTC.{' '}
                {lines.some(({ line }) => line.status === 'estimated') && estimatedNote}
              </p>
              <ListTable
                class="explanation"
                caption="The lines of this amount"
                columns={['For', ...['Quantity', 'Unit price (USD)', 'Amount'].map(numberColumn), 'Rule and source']}
                foot={
                  <tr>
                    <th scope="row">Exact total</th>
                    <td colSpan={4} class="number exact" data-label="Exact total">
                      {formatExactUsd(total ?? null)}
                    </td>
                  </tr>
                }
              >
                {lines.map(({ month, line }, index) => (
                  <ExplainedLine key={index} line={line} month={months.length > 1 ? month : null} />
                ))}
              </ListTable>
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

function ExplainedLine({ line, month }: { readonly line: Line; readonly month: string | null }) {
  const { service, item, of, unit, quantity, free, tier, unit_price: price, amount, status, rule } = line;
  const models = useModels().data?.items ?? [];
  const [model = '', ...profile] = of.split(' ');
  const name = models.find(({ id }) => id === model)?.name ?? model;
  return (
    <tr>
      <th scope="row">
        {serviceNames[service]}: {item.replaceAll('_', ' ')}
        <span class="hint">{[name, ...profile, ...(month === null ? [] : [month])].join(', ')}</span>
      </th>
      <td data-label="Quantity" class="number">
        {formatNumber(quantity, 12)} {unit}s{free && <span class="hint">free tier</span>}
        {tier && (tier.from !== '0' || tier.to !== null) && (
          <span class="hint">
            tier {tier.to === null ? `above ${formatNumber(tier.from)}` : `up to ${formatNumber(tier.to)}`}
          </span>
        )}
      </td>
      <td data-label="Unit price" class="number exact">
        {price ?? 'no price'}
      </td>
      <td data-label="Amount" class="number">
        <Amount usd={amount} />
        {amount !== null && lineStatusNames[status] && <span class="hint">{lineStatusNames[status]}</span>}
      </td>
      <td data-label="Rule and source">
        {inPageWords(rule)}
        {line.price_source && (
          <details>
            <summary>
              Price of {line.price_source.region}, {line.price_source.as_of}
            </summary>
            <ul>
              {line.price_source.sources.map(({ title, publisher, version }) => (
                <li key={title}>
                  {publisher}: {title}, {version}
                </li>
              ))}
            </ul>
          </details>
        )}
      </td>
    </tr>
  );
}
