import { isObject, type JsonObject } from '../../json/parse-json.ts';

/** A value with many entries: `otlp` is read as log records, others are refused. */
export type Envelope = 'otlp' | { readonly error: string };

/** A check of a value, a list by its first item, or an object by some of its fields. */
type Form = ((value: unknown) => boolean) | readonly [Form] | { readonly [name: string]: Form };

function isOf(form: Form, value: unknown): boolean {
  if (typeof form === 'function') return form(value);
  if (Array.isArray(form)) return Array.isArray(value) && isOf(form[0], value[0]);
  return isObject(value) && Object.entries(form).every(([name, field]) => isOf(field, value[name]));
}

const anything = () => true;
const text = (value: unknown) => typeof value === 'string';
const number = (value: unknown) => typeof value === 'number';
const either =
  (...forms: Form[]) =>
  (value: unknown) =>
    forms.some((form) => isOf(form, value));
/** An object with these fields and no others. */
const only = (form: object & Form) => (value: unknown) =>
  isOf(form, value) && Object.keys(value as object).length === Object.keys(form).length;

const useHttp = (output: string) =>
  `use the output http with JSON instead of ${output} in the tool that sends it, such as Fluent Bit or Vector`;

const logRecords: Form = [either({ logRecords: [anything] }, { log_records: [anything] })];
const scopeLogs: Form = [either({ scopeLogs: logRecords }, { scope_logs: logRecords })];
const lokiLine = (line: unknown) => Array.isArray(line) && text(line[0]) && /^\d+$/.test(line[0]) && text(line[1]);

/** The formats, with all of their fields: a record that only resembles an envelope is an entry. */
const formats: readonly (readonly [Form, Envelope])[] = [
  [either(only({ resourceLogs: scopeLogs }), only({ resource_logs: scopeLogs })), 'otlp'],
  [only({ streams: [{ stream: isObject, values: [lokiLine] }] }), { error: `is a push to Loki: ${useHttp('loki')}` }],
  [
    {
      messageType: (type) => type === 'DATA_MESSAGE' || type === 'CONTROL_MESSAGE',
      owner: text,
      logGroup: text,
      logStream: text,
      subscriptionFilters: [anything],
      logEvents: [{ id: text, message: text, timestamp: number }],
    },
    {
      error:
        'is a subscription event of CloudWatch Logs: send its list logEvents instead, from the function that receives it',
    },
  ],
  [
    only({ requestId: text, timestamp: number, records: [only({ data: text })] }),
    {
      error:
        'is a delivery of Amazon Data Firehose: send the decoded data of its records instead, from a function that receives them',
    },
  ],
  [
    only({ records: [{ time: text, resourceId: text, category: text }] }),
    {
      error: 'is an export of Azure diagnostic logs: send its list records instead, from the function that receives it',
    },
  ],
];

/** @param value an object that has no message. @returns null if it is a log entry. */
export function envelopeOf(value: JsonObject): Envelope | null {
  return formats.find(([form]) => isOf(form, value))?.[1] ?? null;
}

/** Checks whether a body is a bulk request to Elasticsearch: actions, with documents. */
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
