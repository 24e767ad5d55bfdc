import { signal } from '@preact/signals';
import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { formatFineUsd, formatNumber } from '../../shared/amounts.ts';
import {
  costSentence,
  type SentenceInput,
  type SentencePart,
  type SentenceTopic,
} from '../../shared/cost/cost-sentence.ts';
import { linkTo } from '../app/address.ts';
import { read } from '../client/api.ts';
import type { Explanation, LiveMetrics, Scenario } from '../client/responses.ts';
import { Loading, MarkOld } from '../components/states.tsx';
import type { Bounds } from '../period/period.ts';
import { scenariosPath, useModels } from '../scenarios/scenario-queries.ts';
import { triedVolume } from './design/tried-designs.ts';
import { useStandardDesigns } from './design/use-designs.ts';
import type { PartProps } from './part-props.ts';

/** The months of the explanation; the service has ten years of them at most. */
export const useExplanation = ({ id }: Scenario, version: string, bounds: Bounds) =>
  useQuery({
    queryKey: ['scenario', id, 'explanation', version, bounds],
    placeholderData: keepPreviousData,
    queryFn: ({ signal: aborted }) =>
      read<Explanation>(`${scenariosPath}/${id}/metrics/explain`, { ...bounds }, aborted),
  });

/** The data of the sentence; null until all of it is read. */
export function useSentenceInput(
  { scenario, bounds, version }: Pick<PartProps, 'scenario' | 'bounds' | 'version'>,
  metrics: LiveMetrics,
): SentenceInput | null {
  const explanation = useExplanation(scenario, version, bounds).data;
  const designs = useStandardDesigns(scenario, version, bounds).data;
  const models = useModels().data?.items;
  if (!explanation || !designs || !models) return null;
  return { metrics, explanation, designs, models, hasVolume: triedVolume() !== undefined };
}

/** The place in the design part that a part of the sentence leads to. */
export const wantedTopic = signal<SentenceTopic | null>(null);

interface SentenceProps extends Pick<PartProps, 'scenario' | 'bounds' | 'version'> {
  readonly metrics: LiveMetrics;
  /** Whether the metrics are those of another period. */
  readonly isOld: boolean;
  /** Opens the explanation of the cost. */
  readonly explain: () => void;
}

/** The cost of the log, and the reason for it. Each part leads to where it is changed. */
export function Sentence({ scenario, metrics, bounds, version, isOld, explain }: SentenceProps) {
  const input = useSentenceInput({ scenario, bounds, version }, metrics);
  if (!input) {
    const { cost, logs } = metrics.totals;
    return (
      <>
        <p class="sentence">
          <Emphasized text={`${formatFineUsd(cost)} for ${formatNumber(logs)} entries.`} />
        </p>
        <Loading what="the month and the designs" />
      </>
    );
  }
  const parts = costSentence(input);
  const design = linkTo(`/scenarios/${scenario.id}/design`);
  const shown = ({ topic, text }: SentencePart) => {
    if (topic === 'unknown') return <span key={text}>{text}</span>;
    if (topic === 'cost') {
      return (
        // In Firefox, a button is a block, which would break the sentence.
        <a
          key={text}
          role="button"
          href={linkTo(`/scenarios/${scenario.id}`)}
          onClick={(event) => {
            event.preventDefault();
            explain();
          }}
        >
          <Emphasized text={text} />
        </a>
      );
    }
    return (
      <a key={text} href={design} onClick={() => (wantedTopic.value = topic)}>
        <Emphasized text={text} />
      </a>
    );
  };
  const unknown = parts.filter(({ topic }) => topic === 'unknown');
  return (
    <MarkOld isOld={isOld}>
      <p class="sentence" data-testid="sentence">
        {parts.filter(({ topic }) => topic !== 'unknown').map(shown)}
      </p>
      {unknown.length > 0 && <p class="hint sentence-notes">{unknown.map(shown)}</p>}
    </MarkOld>
  );
}

const figures = /(\$[\d,.]*\d|\d+ %)/;

/** Amounts and shares catch the eye, and no line ends within one. */
function Emphasized({ text }: { readonly text: string }) {
  return <>{text.split(figures).map((piece, index) => (index % 2 === 1 ? <b key={index}>{piece}</b> : piece))}</>;
}
