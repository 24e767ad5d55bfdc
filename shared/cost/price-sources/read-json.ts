import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
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
  const checkKey = createKeyCheck();
  tokenizer.onToken = (token) => {
    checkKey(token);
    parser.write(token);
  };
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

/** @throws SourceError if an object of the text has a key twice. */
export function checkKeys(name: string, text: string): void {
  const tokenizer = new Tokenizer();
  tokenizer.onToken = createKeyCheck();
  parse(name, () => tokenizer.write(text));
}

interface Level {
  /** The keys of an object so far; absent in an array. */
  keys?: Set<string>;
  /** The present key or index. */
  at: string | number;
  isKeyNext: boolean;
}

/** Larger objects are maps of products, whose repetition the reader of an offer finds. */
const maxKeys = 1_000;

class RepeatedKey extends Error {}

/** Checks the tokens of a JSON text, one after the other. Parsers would use either value. */
function createKeyCheck(): (token: { token: TokenType; value: unknown }) => void {
  const levels: Level[] = [];
  return ({ token, value }) => {
    const level = levels.at(-1);
    if (token === TokenType.LEFT_BRACE) levels.push({ keys: new Set(), at: '', isKeyNext: true });
    else if (token === TokenType.LEFT_BRACKET) levels.push({ at: 0, isKeyNext: false });
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) levels.pop();
    else if (token === TokenType.COMMA && level?.keys) level.isKeyNext = true;
    else if (token === TokenType.COMMA && typeof level?.at === 'number') level.at++;
    else if (token === TokenType.STRING && level?.keys && level.isKeyNext) {
      level.at = String(value);
      level.isKeyNext = false;
      if (level.keys.has(level.at)) throw new RepeatedKey(levels.map(({ at }) => at).join('.'));
      if (level.keys.size < maxKeys) level.keys.add(level.at);
    }
  };
}

function parse(name: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    if (error instanceof RepeatedKey) throw repeatedKey(pathIn(name, error.message));
    throw new SourceError(name, `the file is malformed: ${(error as Error).message}`, { cause: error });
  }
}

export const repeatedKey = (where: string) => new SourceError(where, 'the file has this key twice');

/** The fields of a JSON object; none if the value is something else. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** A string or number of a file as text; undefined if the value is something else. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A JSON path for messages: `index.json: $.products.ABC`. */
export const pathIn = (name: string, ...keys: string[]): string => `${name}: ${['$', ...keys].join('.')}`;
