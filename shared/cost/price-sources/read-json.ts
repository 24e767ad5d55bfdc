import { Tokenizer, TokenParser } from '@streamparser/json';
import { SourceError, type SourceFile } from './price-point.ts';

/** Numbers stay text, because a binary number could not represent a price exactly. */
class TextTokenizer extends Tokenizer {
  protected override parseNumber(text: string): number {
    return text as unknown as number;
  }
}

interface JsonValue {
  /** The keys from the root to the value. */
  path: string[];
  /** Numbers are strings, as written in the file. */
  value: unknown;
}

/**
 * Reads the values at `paths` (`$.products.*`) of a JSON file, one after the other. Memory holds
 * one of them, not the file.
 * @throws SourceError if the file is not JSON, or ends early.
 */
export async function* readJson(file: SourceFile, paths: string[]): AsyncGenerator<JsonValue> {
  const found: JsonValue[] = [];
  const tokenizer = new TextTokenizer();
  const parser = new TokenParser({ paths, keepStack: false });
  tokenizer.onToken = (token) => parser.write(token);
  tokenizer.onEnd = () => {
    if (!parser.isEnded) parser.end();
  };
  parser.onEnd = () => {
    if (!tokenizer.isEnded) tokenizer.end();
  };
  parser.onValue = ({ key, value, stack }) => {
    found.push({ path: [...stack.slice(1).map((level) => String(level.key)), String(key)], value });
  };
  for await (const chunk of file.bytes) {
    parse(file.name, () => tokenizer.write(chunk));
    yield* found.splice(0);
  }
  if (!parser.isEnded) throw new SourceError(file.name, 'the file is truncated: its JSON does not end');
}

function parse(name: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    throw new SourceError(name, `the file is malformed: ${(error as Error).message}`, { cause: error });
  }
}

/** The fields of a JSON object; none if the value is something else. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** A string or number of a file as text; undefined if the value is something else. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A JSON path for messages: `index.json: $.products.ABC`. */
export const pathIn = (name: string, ...keys: string[]): string => `${name}: ${['$', ...keys].join('.')}`;
