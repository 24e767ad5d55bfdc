// The terms of an estimate: from the options of the command, checked by the rules of the service.
import { readFile } from 'node:fs/promises';
import { designsBody } from '../../../api/cost/designs.schema.ts';
import { check } from '../../../api/http/input.ts';
import type { Volume } from '../../../shared/cost/observed-rate.ts';
import type { Design } from '../../../shared/cost/pipeline/standard-designs.ts';
import { createPriceBook, loadPriceBook, type PriceBook } from '../../../shared/cost/price-book.ts';
import { unknownModel, unknownRegion } from '../../../shared/cost/unknown-name.ts';
import { validationMessage } from '../../../shared/errors.ts';
import { createModelFinder } from '../../../shared/ingest/model-name.ts';
import { openTimeZone } from '../../../shared/ingest/text-lines/time-zone.ts';
import { quoted } from '../../../shared/quoted.ts';
import { type Assumptions, defaultAssumptions } from '../../../shared/scenarios/assumptions.ts';
import { parseTimestamp } from '../../../shared/timestamp.ts';
import { epochPeriod } from '../../../shared/usage/periods.ts';
import { CommandError } from './command-error.ts';
import type { EstimateTerms } from './estimate.ts';
import { codeOf } from './inputs.ts';
import type { ReadingTerms } from './read-logs.ts';

/** The options that decide on figures. */
export interface TermOptions {
  region?: string;
  model?: string;
  design?: string;
  volume?: string;
  zone: string;
  from?: string;
  to?: string;
  join: 'none' | 'trace';
  arrival?: string;
  priceBook?: string;
}

interface Terms {
  reading: ReadingTerms;
  estimate: EstimateTerms;
}

const defaultRegion = 'us-east-1';

/** @throws CommandError that names the option. */
export async function readTerms(options: TermOptions): Promise<Terms> {
  const book = await readBook(options.priceBook);
  const { own, others } = await readDesigns(options.design, book);
  const volume = options.volume === undefined ? undefined : readVolume(options.volume, book);
  const region = options.region ?? own.region ?? defaultRegion;
  if (!book.regionCodes.has(region)) throw new CommandError(`--region ${unknownRegion(region, book)}.`);
  const { pipeline, inference, ...rest } = own.assumptions ?? {};
  const model = options.model === undefined ? {} : { model: findModel(options.model, book) };
  const assumptions: Assumptions = { ...rest, inference: { ...inference, ...model }, ...(pipeline && { pipeline }) };
  if (!book.modelIds.has(assumptions.inference?.model ?? defaultAssumptions.inference.model)) {
    throw new CommandError('The price book does not have the default model: name one by --model.');
  }
  if (openTimeZone(options.zone) === null) throw new CommandError(`--zone ${quoted(options.zone)} is not a time zone.`);
  const period = { from: readTime(options.from, '--from'), to: readTime(options.to, '--to') };
  return {
    reading: {
      assumptions,
      modelIds: book.modelIds,
      tokenMultipliers: book.tokenMultipliers,
      callLimits: book.callLimits,
      arrival: readTime(options.arrival, '--arrival')?.getTime() ?? Date.now(),
      period: epochPeriod(period),
      time: 'line',
      zone: options.zone,
      join: options.join,
    },
    estimate: {
      region,
      assumptions,
      book,
      ...(period.from && { from: period.from }),
      ...(period.to && { to: period.to }),
      ...(others && { designs: others }),
      ...(volume && { volume }),
    },
  };
}

async function readBook(path: string | undefined): Promise<PriceBook> {
  if (path === undefined) return loadPriceBook();
  const content = await readJson(path, '--price-book');
  try {
    return createPriceBook(content);
  } catch (error) {
    throw new CommandError(`${path} is not a price book: ${(error as Error).message}`);
  }
}

/** A design handles the entries; a list of designs is compared in place of the standard ones. */
async function readDesigns(
  path: string | undefined,
  book: PriceBook,
): Promise<{ own: Partial<Design>; others?: Design[] }> {
  if (path === undefined) return { own: {} };
  const content = await readJson(path, '--design');
  if (typeof content !== 'object' || !content) throw new CommandError(`--design: ${path} is not a design or a list.`);
  const isList = Array.isArray(content);
  const named = isList ? (content as unknown[]) : [{ name: 'own', ...content }];
  const result = check(designsBody(book), { designs: named });
  if ('errors' in result) {
    const faults = result.errors.map(({ field, error }) => `${field} ${error}`);
    throw new CommandError(`--design: ${path}: ${faults.join('; ')}.`);
  }
  const designs = result.value.designs ?? [];
  return isList ? { own: {}, others: designs } : { own: designs[0] ?? {} };
}

async function readJson(path: string, option: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : `cannot be read: ${codeOf(error)}`;
    throw new CommandError(`${option}: ${path} ${reason}.`);
  }
}

const multiples: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, b: 1e9 };

/** `5000/s`, `30M/month` */
function readVolume(text: string, book: PriceBook): Volume {
  const [, number = '', multiple = '', unit] = /^(\d+(?:\.\d+)?)([kmgb]?)\/(s|month)$/i.exec(text.trim()) ?? [];
  if (unit === undefined) throw new CommandError(`--volume ${quoted(text)}: write it as 5000/s or 30M/month.`);
  const entries = Number((Number(number) * (multiples[multiple.toLowerCase()] ?? 1)).toPrecision(15));
  const field = unit.toLowerCase() === 's' ? 'entries_per_second' : 'entries_per_month';
  const result = check(designsBody(book), { volume: { [field]: entries } });
  if ('errors' in result) throw new CommandError(`--volume ${quoted(text)}: ${validationMessage(result.errors)}`);
  return result.value.volume as Volume;
}

function findModel(name: string, book: PriceBook): string {
  const found = createModelFinder(book)([name]);
  if (!found) throw new CommandError(`--model ${unknownModel(name, book)}.`);
  return found.model;
}

function readTime(text: string | undefined, option: string): Date | undefined {
  if (text === undefined) return undefined;
  const time = parseTimestamp(/^\d+$/.test(text) ? Number(text) : text);
  if (time === undefined)
    throw new CommandError(`${option} ${quoted(text)}: write it as 2026-05-01 or 2026-05-01T12:00:00Z.`);
  return new Date(time);
}
