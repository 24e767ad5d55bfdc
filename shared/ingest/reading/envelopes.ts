import { isObject, type JsonObject } from '../../json/parse-json.ts';

/**
 * One value in which another tool sends many log entries. `otlp` is read as OpenTelemetry log
 * records; the others are refused with `error`.
 */
export type Envelope = 'otlp' | { readonly error: string };

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
const oneOf =
  (...texts: string[]): Check =>
  (value) =>
    texts.includes(value as string);
/** A list whose first item passes a check; without one, any list. */
const list =
  (first: Check = () => true): Check =>
  (value) =>
    Array.isArray(value) && first(value[0]);
/** An object with all of these fields; `only`: and no others. */
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));
const only = (checks: Readonly<Record<string, Check>>): Check => {
  const hasAll = fields(checks);
  return (value) => hasAll(value) && Object.keys(value as object).length === Object.keys(checks).length;
};
const either =
  (...checks: Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));

const useHttp = (output: string) =>
  `use the output http with JSON instead of ${output} in the tool that sends it, such as Fluent Bit or Vector`;

const logRecords = list(either(fields({ logRecords: list() }), fields({ log_records: list() })));
const scopeLogs = list(either(fields({ scopeLogs: logRecords }), fields({ scope_logs: logRecords })));
const lokiLine: Check = (line) => Array.isArray(line) && text(line[0]) && /^\d+$/.test(line[0]) && text(line[1]);

/** The formats, with all of their fields: a record that only resembles an envelope is an entry. */
const formats: readonly (readonly [Check, Envelope])[] = [
  [either(only({ resourceLogs: scopeLogs }), only({ resource_logs: scopeLogs })), 'otlp'],
  [
    only({ streams: list(fields({ stream: isObject, values: list(lokiLine) })) }),
    { error: `is a push to Loki: ${useHttp('loki')}` },
  ],
  [
    fields({
      messageType: oneOf('DATA_MESSAGE', 'CONTROL_MESSAGE'),
      owner: text,
      logGroup: text,
      logStream: text,
      subscriptionFilters: list(),
      logEvents: list(fields({ id: text, message: text, timestamp: number })),
    }),
    {
      error:
        'is a subscription event of CloudWatch Logs: send its list logEvents instead, from the function that receives it',
    },
  ],
  [
    only({ requestId: text, timestamp: number, records: list(only({ data: text })) }),
    {
      error:
        'is a delivery of Amazon Data Firehose: send the decoded data of its records instead, from a function that receives them',
    },
  ],
  [
    only({ records: list(fields({ time: text, resourceId: text, category: text })) }),
    {
      error: 'is an export of Azure diagnostic logs: send its list records instead, from the function that receives it',
    },
  ],
];

/** @param value an object that has no message. @returns null if it is a log entry. */
export function envelopeOf(value: JsonObject): Envelope | null {
  return formats.find(([isOfFormat]) => isOfFormat(value))?.[1] ?? null;
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
