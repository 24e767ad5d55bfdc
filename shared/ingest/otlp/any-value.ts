import type { AnyValue, KeyValue } from './otlp-schema.ts';

/** The set field of a value; undefined for an empty value. */
function kindOf(value: AnyValue): keyof AnyValue | undefined {
  return Object.keys(value).at(-1) as keyof AnyValue | undefined;
}

/** A text as it is, bytes in base64, everything else as compact JSON; null for an empty value. */
export function textOf(value: AnyValue | null | undefined): string | null {
  const kind = value && kindOf(value);
  if (!value || kind === undefined) return null;
  if (kind === 'stringValue') return value.stringValue ?? '';
  if (kind === 'bytesValue') return base64(value.bytesValue);
  return jsonOf(value);
}

/** Compact JSON. Integers keep all of their digits. The decoder has bounded the depth. */
function jsonOf(value: AnyValue): string {
  switch (kindOf(value)) {
    case 'stringValue':
      return JSON.stringify(value.stringValue);
    case 'boolValue':
      return String(value.boolValue);
    case 'intValue':
      return String(value.intValue);
    case 'doubleValue':
      return Number.isFinite(value.doubleValue) ? String(value.doubleValue) : JSON.stringify(String(value.doubleValue));
    case 'bytesValue':
      return JSON.stringify(base64(value.bytesValue));
    case 'arrayValue':
      return `[${(value.arrayValue?.values ?? []).map(jsonOf).join(',')}]`;
    case 'kvlistValue':
      return attributesAsJson(value.kvlistValue?.values ?? []);
    default:
      return 'null';
  }
}

export function attributesAsJson(attributes: readonly KeyValue[]): string {
  const fields = attributes.map(({ key = '', value }) => `${JSON.stringify(key)}:${value ? jsonOf(value) : 'null'}`);
  return `{${fields.join(',')}}`;
}

/** A value as JSON would have it; integers beyond 2^53 are text. */
function plainOf(value: AnyValue | null | undefined): unknown {
  const kind = value && kindOf(value);
  switch (kind) {
    case 'intValue': {
      const text = String(value?.intValue);
      return Number.isSafeInteger(Number(text)) ? Number(text) : text;
    }
    case 'arrayValue':
      return (value?.arrayValue?.values ?? []).map(plainOf);
    case 'kvlistValue':
      return plainObjectOf(value?.kvlistValue?.values ?? []);
    case 'stringValue':
    case 'boolValue':
    case 'doubleValue':
      return value?.[kind];
    default:
      return null;
  }
}

export const plainObjectOf = (attributes: readonly KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key = '', value }) => [key, plainOf(value)]));

const base64 = (bytes: Uint8Array = new Uint8Array()) => Buffer.from(bytes).toString('base64');
