/**
 * One value in which another tool sends many log entries. `otlp` is read as OpenTelemetry log
 * records; the others are refused with `error`.
 */
export type Envelope = 'otlp' | { readonly error: string };

type JsonObject = Readonly<Record<string, unknown>>;

interface Format {
  readonly envelope: Envelope;
  /**
   * Requires every field of the format: a record that only resembles an envelope is a log entry.
   */
  matches(value: JsonObject): boolean;
}

const useHttp = (output: string) =>
  `use the output http with JSON instead of ${output} in the tool that sends it, such as Fluent Bit or Vector`;

const formats: readonly Format[] = [
  {
    envelope: 'otlp',
    matches: (value) => {
      const scopes = firstOf(onlyList(value, 'resourceLogs') ?? onlyList(value, 'resource_logs'));
      const records = firstOf(listOf(scopes, 'scopeLogs') ?? listOf(scopes, 'scope_logs'));
      return (listOf(records, 'logRecords') ?? listOf(records, 'log_records')) !== undefined;
    },
  },
  {
    envelope: { error: `is a push to Loki: ${useHttp('loki')}` },
    matches: (value) => {
      const stream = firstOf(onlyList(value, 'streams'));
      const line = listOf(stream, 'values')?.[0];
      if (!isObject(stream?.['stream']) || !Array.isArray(line)) return false;
      const [time, text] = line as unknown[];
      return typeof time === 'string' && /^\d+$/.test(time) && typeof text === 'string';
    },
  },
  {
    envelope: {
      error:
        'is a subscription event of CloudWatch Logs: send its list logEvents instead, from the function that receives it',
    },
    matches: (value) => {
      const event = firstOf(listOf(value, 'logEvents'));
      return (
        event !== undefined &&
        (value['messageType'] === 'DATA_MESSAGE' || value['messageType'] === 'CONTROL_MESSAGE') &&
        hasTexts(value, ['owner', 'logGroup', 'logStream']) &&
        listOf(value, 'subscriptionFilters') !== undefined &&
        hasTexts(event, ['id', 'message']) &&
        typeof event['timestamp'] === 'number'
      );
    },
  },
  {
    envelope: {
      error:
        'is a delivery of Amazon Data Firehose: send the decoded data of its records instead, from a function that receives them',
    },
    matches: (value) => {
      const record = firstOf(listOf(value, 'records'));
      return (
        record !== undefined &&
        hasFields(value, 3) &&
        hasTexts(value, ['requestId']) &&
        typeof value['timestamp'] === 'number' &&
        hasFields(record, 1) &&
        hasTexts(record, ['data'])
      );
    },
  },
  {
    envelope: {
      error: 'is an export of Azure diagnostic logs: send its list records instead, from the function that receives it',
    },
    matches: (value) => {
      const record = firstOf(onlyList(value, 'records'));
      return record !== undefined && hasTexts(record, ['time', 'resourceId', 'category']);
    },
  },
];

/** @param value an object that has no message. @returns null if it is a log entry. */
export function envelopeOf(value: JsonObject): Envelope | null {
  return formats.find((format) => format.matches(value))?.envelope ?? null;
}

/**
 * Checks whether all values of a body are those of a bulk request to Elasticsearch: actions, each
 * before its document.
 */
export class BulkCheck {
  #next: 'action' | 'document' | 'other' = 'action';
  #hasDocument = false;

  add(value: unknown): void {
    if (this.#next === 'other') return;
    if (!isObject(value) || isAction(value) !== (this.#next === 'action')) this.#next = 'other';
    else if (this.#next === 'document') {
      this.#next = 'action';
      this.#hasDocument = true;
    } else if (value['delete'] === undefined) this.#next = 'document';
  }

  get isBulkRequest(): boolean {
    return this.#next === 'action' && this.#hasDocument;
  }
}

export const bulkError = `is a bulk request to Elasticsearch: ${useHttp('elasticsearch')}`;

const actions = new Set(['index', 'create', 'update', 'delete']);
const actionField =
  /^(?:_\w+|routing|pipeline|version|version_type|if_\w+|require_\w+|retry_on_conflict|dynamic_templates)$/;

function isAction(value: JsonObject): boolean {
  const [name = '', ...others] = Object.keys(value);
  const target = value[name];
  if (!actions.has(name) || others.length > 0 || !isObject(target)) return false;
  return Object.keys(target).every((field) => actionField.test(field));
}

function firstOf(list: readonly unknown[] | undefined): JsonObject | undefined {
  const first = list?.[0];
  return isObject(first) ? first : undefined;
}

function listOf(value: JsonObject | undefined, name: string): readonly unknown[] | undefined {
  const list = value?.[name];
  return Array.isArray(list) ? (list as unknown[]) : undefined;
}

/** The list of an object that has nothing else. */
function onlyList(value: JsonObject, name: string): readonly unknown[] | undefined {
  const list = listOf(value, name);
  return list && hasFields(value, 1) ? list : undefined;
}

const hasFields = (value: JsonObject, count: number) => Object.keys(value).length === count;
const hasTexts = (value: JsonObject, names: readonly string[]) =>
  names.every((name) => typeof value[name] === 'string');
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
