// The usage that an entry reports, as it is stored with the entry: counts, and the model of the
// price book that they are of.
import { type JsonObject, objectOf, parseJson } from '../json/parse-json.ts';
import { type CallProfile, createModelFinder, keptName, type ModelNames } from './model-name.ts';
import { partOfUsageNames, readModelUsage, type UnreadUsage } from './model-usage/read-model-usage.ts';

export interface EntryUsageReport {
  function_duration_ms?: number;
  function_memory_mb?: number;
  input_tokens?: number;
  cache_read_tokens?: number;
  cache_write_tokens?: number;
  cache_write_1h_tokens?: number;
  output_tokens?: number;
  /** An id of the price book. */
  model?: string;
  /** How the model was called. Absent: as the scenario calls models. */
  profile?: CallProfile;
  /** In place of `model`: a name that is not that of one model of the price book. */
  unknown_model?: string;
}

export interface UsageReader {
  /** @returns undefined if the record reports no usage. */
  read(record: JsonObject): EntryUsageReport | UnreadUsage | undefined;
  /** Reads a text that is a record in JSON. @returns undefined for any other text. */
  readText(text: string): EntryUsageReport | UnreadUsage | undefined;
}

/** @param names the models of all versions of the price book. */
export function createUsageReader(names: ModelNames): UsageReader {
  const findModel = createModelFinder(names);
  const read: UsageReader['read'] = (record) => {
    const reported = readModelUsage(record);
    if (!reported || 'unread' in reported) return reported;
    const [name] = reported.models;
    if (name === undefined) return { ...reported.counts };
    const named = findModel(reported.models);
    return { ...reported.counts, ...(named ?? { unknown_model: keptName(name) }) };
  };
  return {
    read,
    readText: (text) => {
      if (!canHaveUsage(text) || !/^\s*\{/.test(text)) return undefined;
      const record = objectOf(parseJson(text));
      return record && read(record);
    },
  };
}

/** Whether a record in this text can report the usage of a model call. */
export const canHaveUsage = (text: string) => text.includes(partOfUsageNames);
