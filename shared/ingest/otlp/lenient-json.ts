// Log records in JSON as senders write them, converted to what the mapping of protobuf allows.

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Integers of 64 bits that are sent as JSON numbers; those of more than 15 digits would be rounded.
 * A quote inside a text is escaped, so that this matches no text.
 */
const longInteger = /("(?:intValue|int_value)"\s*:\s*)(-?\d{16,19})(?=\s*[,}])/g;

/** Writes long integers as texts, which keep all of their digits. */
export const quoteLongIntegers = (text: string) => text.replace(longInteger, '$1"$2"');

/** Nothing reads these; senders write ids in several forms. */
const unread = [
  'traceId',
  'trace_id',
  'spanId',
  'span_id',
  'flags',
  'droppedAttributesCount',
  'dropped_attributes_count',
];
const times = ['timeUnixNano', 'time_unix_nano', 'observedTimeUnixNano', 'observed_time_unix_nano'];
const severities = ['severityNumber', 'severity_number'];

/** Converts a log record, a resource or a scope. Any other value is returned as it is. */
export function toMessage(value: unknown): unknown {
  if (!isObject(value)) return value;
  const message: Record<string, unknown> = { ...value };
  for (const name of unread) delete message[name];
  for (const name of times) if (name in message) message[name] = toNanoseconds(message[name]);
  for (const name of severities) if (name in message) message[name] = toSeverity(message[name]);
  if ('body' in message) message['body'] = toAnyValue(message['body']);
  if (Array.isArray(message['attributes'])) message['attributes'] = toAttributes(message['attributes']);
  return message;
}

/** An empty time is none, and one in ISO 8601 is converted. */
function toNanoseconds(value: unknown): unknown {
  if (value === '') return null;
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return value;
  const milliseconds = Date.parse(value);
  return Number.isNaN(milliseconds) ? value : String(BigInt(milliseconds) * 1_000_000n);
}

const severityNames = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/** The number of a severity that is sent as a name, such as `SEVERITY_NUMBER_INFO2` or `Info`. */
function toSeverity(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/^\d+(?:\.0*)?$/.test(value)) return Number(value);
  const [, name = '', step = '1'] = /^(?:SEVERITY_NUMBER_)?([A-Z]+)([1-4])?$/.exec(value.trim().toUpperCase()) ?? [];
  const index = severityNames.indexOf(name === 'WARNING' ? 'WARN' : name);
  return index === -1 ? null : index * 4 + Number(step);
}

/** An item of a list that is null is an empty value. */
function toAnyValue(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { arrayValue, kvlistValue } = value;
  if (isObject(arrayValue) && Array.isArray(arrayValue['values'])) {
    const values = arrayValue['values'].map((item: unknown) => (item === null ? {} : toAnyValue(item)));
    return { ...value, arrayValue: { values } };
  }
  if (isObject(kvlistValue) && Array.isArray(kvlistValue['values'])) {
    return { ...value, kvlistValue: { values: toAttributes(kvlistValue['values']) } };
  }
  return value;
}

const toAttributes = (attributes: readonly unknown[]) =>
  attributes.filter((attribute) => attribute !== null).map(toAttribute);

function toAttribute(attribute: unknown): unknown {
  if (!isObject(attribute)) return attribute;
  const value = toAnyValue(attribute['value']);
  return value === attribute['value'] ? attribute : { ...attribute, value };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
