// The cost of a log and its reasons, in a few sentences. The page, the reports and the commands
// show the same ones. They take the responses of the API as plain data, so nothing here reads or
// computes a price.
import { formatFineUsd, formatNumber, formatRoundUsd, spanInWords } from '../amounts.ts';
import type { CompleteAssumptions } from '../scenarios/assumptions.ts';
import { levelClasses } from '../scenarios/pipeline.ts';
import { splitCall } from './called-model.ts';
import {
  type ComparedDesign,
  cheapestDesign,
  designInWords,
  isRecommendable,
  unitsOf,
} from './pipeline/standard-designs.ts';

/** The topic of a part of the sentence, which is where it can be changed. */
export type SentenceTopic = 'cost' | 'month' | 'part' | 'assumption' | 'design' | 'unknown';

export interface SentencePart {
  readonly topic: SentenceTopic;
  readonly text: string;
}

interface ExplainedLine {
  readonly service: 'queue' | 'function' | 'inference';
  readonly item: string;
  readonly of: string;
  readonly quantity: string;
  /** In USD; null without a price. */
  readonly amount: string | null;
}

interface SentenceDesign extends ComparedDesign {
  readonly assumptions: CompleteAssumptions;
  readonly month_totals: { readonly logs: number } | null;
  readonly totals: { readonly logs: number; readonly incomplete: boolean; readonly status: string };
}

type NamedDesign = SentenceDesign & { readonly name: string };

/** Parts of the responses of metrics, explanation and designs. */
export interface SentenceInput {
  readonly metrics: {
    readonly totals: {
      readonly logs: number;
      readonly cost: string | null;
      readonly incomplete: boolean;
      readonly usage_unread: number;
      readonly unpriced: readonly { readonly model: string; readonly calls: number }[];
      readonly pending_entries: number;
      readonly failed_entries: number;
    };
  };
  readonly explanation: {
    readonly assumptions: CompleteAssumptions;
    readonly months: readonly {
      readonly lines: readonly ExplainedLine[];
      readonly pipeline?: readonly { readonly part: string; readonly quantity: string }[];
    }[];
  };
  readonly designs: {
    readonly observed: { readonly entries: number; readonly seconds: number | null; readonly short: boolean };
    readonly present: SentenceDesign;
    readonly items: readonly NamedDesign[];
  };
  /** The models of the price book. */
  readonly models: readonly { readonly id: string; readonly name: string }[];
  /** Whether the request of the designs had a volume, in place of the observed rate. */
  readonly hasVolume?: boolean;
}

/** The sentences in parts, in order. Their texts are joined without anything between them. */
export function costSentence(input: SentenceInput): SentencePart[] {
  const { totals } = input.metrics;
  if (totals.logs === 0) return spaced([{ topic: 'cost', text: 'No entries yet.' }, ...unknownParts(input)]);
  return spaced([...costParts(input), ...largestParts(input), ...designParts(input), ...unknownParts(input)]);
}

export const sentenceText = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join('');

/** A part begins with its space unless it continues a word of the one before. */
const spaced = (parts: readonly SentencePart[]): SentencePart[] =>
  parts.map((part, index) => (index === 0 || /^[;:,]/.test(part.text) ? part : { ...part, text: ` ${part.text}` }));

function costParts({ metrics: { totals }, designs, hasVolume = false }: SentenceInput): SentencePart[] {
  const { logs, cost, incomplete } = totals;
  const entries = logs === 1 ? 'this entry' : `these ${formatNumber(logs)} entries`;
  const amount = cost === null ? 'No price is known' : `${incomplete ? 'At least ' : ''}${formatFineUsd(cost)}`;
  const { present, observed } = designs;
  const first: SentencePart = { topic: 'cost', text: `${amount} for ${entries}` };
  const month = present.month?.total ?? null;
  if (month === null || cost === null) {
    const noRate = 'All of them are of one second, which has no rate for a month.';
    return [{ ...first, text: `${first.text}.` }, ...(observed.seconds === null ? [about('month', noRate)] : [])];
  }
  const basis = hasVolume
    ? `of ${formatNumber(present.month_totals?.logs ?? 0)} entries`
    : `at their rate (${spanInWords(observed.seconds ?? 0)} observed)`;
  return [first, about('month', `; ${incomplete ? 'at least' : 'about'} ${formatRoundUsd(month)} a month ${basis}.`)];
}

const about = (topic: SentenceTopic, text: string): SentencePart => ({ topic, text });

/** The part with the largest cost, and what is assumed for it. */
function largestParts(input: SentenceInput): SentencePart[] {
  const [largest] = costPartsByShare(input);
  if (!largest) return [];
  const { name, share, assumption } = largest;
  const text = `${shareInWords(share)} is ${name}`;
  if (assumption === null) return [about('part', `${text}.`)];
  return [about('part', text), about('assumption', `: ${assumption}.`)];
}

/** The units of a service that have one meaning for people. */
export type CostPart = ReturnType<typeof costPartsByShare>[number];

/** The parts of the cost, the largest first, with their shares of the known cost, 0 to 1. */
export function costPartsByShare(input: SentenceInput) {
  const sums = new Map<string, { line: ExplainedLine; quantity: number; amount: number }>();
  for (const line of input.explanation.months.flatMap(({ lines }) => lines)) {
    const of = line.service === 'inference' ? splitCall(line.of).model : line.of;
    const key = `${line.item} ${of}`;
    const sum = sums.get(key) ?? { line: { ...line, of }, quantity: 0, amount: 0 };
    sum.quantity += Number(line.quantity);
    sum.amount += Number(line.amount ?? 0);
    sums.set(key, sum);
  }
  const total = [...sums.values()].reduce((sum, { amount }) => sum + amount, 0);
  if (total <= 0) return [];
  return [...sums.values()]
    .sort((one, other) => other.amount - one.amount)
    .map(({ line, quantity, amount }) => ({
      service: line.service,
      item: line.item,
      share: amount / total,
      ...describePart(line, quantity, input),
    }));
}

interface PartInWords {
  /** `the output of Claude Haiku 4.5` */
  readonly name: string;
  /** `100 tokens an entry, assumed`; null if nothing is assumed. */
  readonly assumption: string | null;
}

function describePart(
  { item, of }: ExplainedLine,
  quantity: number,
  { metrics, explanation: { assumptions, months }, designs, models }: SentenceInput,
): PartInWords {
  const { function: fn, inference, pipeline } = assumptions;
  const model = models.find(({ id }) => id === of)?.name ?? of;
  const sumOfPart = (name: string) =>
    months
      .flatMap(({ pipeline: parts = [] }) => parts)
      .reduce((sum, { part, quantity: units }) => sum + (part === name ? Number(units) : 0), 0);
  switch (item) {
    case 'output_tokens': {
      const name = `the output of ${model}`;
      const perCall = pipeline?.inference.output_tokens_per_call;
      if (perCall !== undefined) return { name, assumption: `${tokens(perCall)} a call, assumed` };
      if (of !== inference.model) return { name, assumption: 'as reported' };
      const assumed = `${tokens(inference.output_tokens_per_entry)} an entry`;
      const isAllAssumed = quantity === designs.present.flow.model_entries * inference.output_tokens_per_entry;
      return { name, assumption: isAllAssumed ? `${assumed}, assumed` : `as reported, or ${assumed} where nothing is` };
    }
    case 'input_tokens': {
      const isPrompt = sumOfPart('prompt_tokens') > quantity / 2;
      const prompt = `an instruction of ${tokens(pipeline?.inference.prompt_tokens ?? 0)} a call, assumed`;
      return { name: `the input of ${model}`, assumption: pipeline && isPrompt ? prompt : null };
    }
    case 'cache_read_tokens':
      return { name: `what ${model} reads from its cache`, assumption: null };
    case 'cache_write_tokens':
    case 'cache_write_1h_tokens':
      return { name: `what ${model} writes to its cache`, assumption: null };
    case 'compute': {
      const gbSeconds = (metrics.totals.logs * fn.memory_mb * fn.duration_ms) / 1_024_000;
      const isAllAssumed = pipeline === undefined && Math.abs(quantity - gbSeconds) < 1e-6;
      const assumed = `${formatNumber(fn.memory_mb)} MB for ${formatNumber(fn.duration_ms)} ms an entry, assumed`;
      return { name: 'the time of the function', assumption: isAllAssumed ? assumed : null };
    }
    case 'invocations':
      return { name: 'the invocations of the function', assumption: null };
    default: {
      const polls = sumOfPart('empty_receives');
      const isIdle = pipeline !== undefined && polls > quantity / 2;
      const pollers = `${formatNumber(pipeline?.queue.pollers ?? 0)} pollers, mostly without a message`;
      return { name: 'the requests of the queue', assumption: isIdle ? pollers : null };
    }
  }
}

const tokens = (count: number) => (count === 1 ? '1 token' : `${formatNumber(count)} tokens`);

/** The cheapest design, and where it leaves entries out, the cheapest one that does not. */
function designParts({ designs: { present, items: all } }: SentenceInput): SentencePart[] {
  const items = comparableDesigns(present, all);
  if (present.cost.total === null || items.length === 0) return [];
  const cheapest = cheaperDesign(present, items);
  if (!cheapest) return [about('design', 'No standard design costs less.')];
  const text = `${designInWords(cheapest.name)} would cost ${costInWords(cheapest)}`;
  if (reachesAllEntries(cheapest.assumptions)) return [about('design', `${text}.`)];
  const count = `${formatNumber(cheapest.flow.model_entries)} of ${formatNumber(cheapest.totals.logs)} entries`;
  const complete = cheaperDesign(
    present,
    items.filter(({ assumptions }) => reachesAllEntries(assumptions)),
  );
  const other = complete ? ` ${designInWords(complete.name)}: ${costInWords(complete)}.` : '';
  return [about('design', `${text}, with ${count} for the model.${other}`)];
}

/**
 * The designs whose costs can be compared with the present one. Calls of models that are not in the
 * price book are missing in all of them alike.
 */
export function comparableDesigns<Compared extends Pick<SentenceDesign, 'totals'>>(
  { totals: { incomplete, status } }: Pick<SentenceDesign, 'totals'>,
  items: readonly Compared[],
): readonly Compared[] {
  if (!incomplete) return items;
  if (status === 'missing') return [];
  return items
    .filter(({ totals }) => totals.incomplete && totals.status !== 'missing')
    .map((item) => ({ ...item, totals: { ...item.totals, incomplete: false } }));
}

/** The cheapest of the designs, if it can be recommended and costs less than the present one. */
function cheaperDesign(present: SentenceDesign, items: readonly NamedDesign[]): NamedDesign | null {
  const name = cheapestDesign(items);
  const found = items.find((item) => item.name === name);
  if (!found || !isRecommendable(found)) return null;
  const isMonthly = found.month !== null && present.month !== null;
  const cost = (design: SentenceDesign) => (isMonthly ? design.month?.total : design.cost.total) ?? null;
  const [own, other] = [cost(present), cost(found)];
  return own !== null && other !== null && unitsOf(other) < unitsOf(own) ? found : null;
}

const costInWords = ({ month, cost }: SentenceDesign): string =>
  month ? `about ${formatRoundUsd(month.total)} a month` : `${formatFineUsd(cost.total)} for these entries`;

/** Whether the model sees all entries. */
export const reachesAllEntries = ({ pipeline }: CompleteAssumptions): boolean =>
  pipeline === undefined ||
  [pipeline, pipeline.inference].every(
    ({ levels, sample_percent: sample }) => levels.length === levelClasses.length && sample === 100,
  );

/** The usage that the amounts leave out or do not show. */
function unknownParts(input: SentenceInput): SentencePart[] {
  const { metrics, explanation, designs, hasVolume = false } = input;
  const { unpriced, usage_unread: unread, pending_entries: pending, failed_entries: failed } = metrics.totals;
  const withoutPrice = explanation.months.flatMap(({ lines }) =>
    lines.filter(({ amount }) => amount === null).map((line) => describePart(line, Number(line.quantity), input).name),
  );
  const sentences = [
    ...[...new Set(withoutPrice)].map((name) => `No price is known for ${name}.`),
    ...unpriced.map(({ model, calls }) => `${counted(calls, 'call')} of ${model} ${have(calls)} no price.`),
    ...(unread > 0 ? [`${counted(unread, 'entry')} had a usage that was not understood, so it is estimated.`] : []),
    ...(pending > 0 ? [`${counted(pending, 'entry')} ${be(pending)} not counted yet.`] : []),
    ...(failed > 0 ? [`${counted(failed, 'entry')} could not be processed.`] : []),
    ...(designs.observed.short && designs.present.month && !hasVolume
      ? ['Less than a day is observed, so the month is rough.']
      : []),
  ];
  return sentences.map((text) => about('unknown', text));
}

const plurals = { call: 'calls', entry: 'entries' } as const;
const counted = (count: number, unit: keyof typeof plurals) =>
  `${formatNumber(count)} ${count === 1 ? unit : plurals[unit]}`;
const have = (count: number) => (count === 1 ? 'has' : 'have');
const be = (count: number) => (count === 1 ? 'is' : 'are');

/** In whole per cent, but never 0 or 100 for a part. */
function shareInWords(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return 'Over 99 %';
  return rounded === 0 ? 'Under 1 %' : `${rounded} %`;
}
