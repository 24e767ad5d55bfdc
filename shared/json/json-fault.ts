import { quoted } from '../quoted.ts';

/** UTF-16 code units that are read to find a fault, which takes up to 15 ms. */
const maxRead = 256 * 1024;

export const notJson = 'must be valid JSON';

/** Where a text stops to be JSON, and the character there. @param before precedes the text. */
export function jsonFault(text: string, before = ''): string {
  const read = text.slice(0, maxRead);
  const fault = findFault(read);
  // A token at the end of what is read can be cut.
  if (!fault || (text.length > maxRead && fault.index > maxRead - 32)) return notJson;
  const { index, expected } = fault;
  const lines = (before + read.slice(0, index)).split('\n');
  const character = read.codePointAt(index);
  const found = character === undefined ? 'the end' : quoted(String.fromCodePoint(character));
  const where = expected === null ? 'after the value' : `in place of ${expected}`;
  return `${notJson}: line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1} has ${found} ${where}`;
}

interface Fault {
  readonly index: number;
  /** Null after the value. */
  readonly expected: string | null;
}

type State = 'value' | 'firstItem' | 'firstName' | 'name' | 'colon' | 'afterValue';

const expectedIn: Readonly<Record<Exclude<State, 'afterValue'>, string>> = {
  value: 'a value',
  firstItem: 'a value or ]',
  firstName: 'a name in double quotes or }',
  name: 'a name in double quotes',
  colon: 'a colon',
};

const space = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** A string without its closing quote. */
const openString = /"(?:[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;

/** The first character that no JSON text has there; null if the text is JSON. */
function findFault(text: string): Fault | null {
  const open: ('{' | '[')[] = [];
  let state = 'value' as State;
  let index = 0;
  for (;;) {
    index = endOf(space, text, index);
    const character = text.charAt(index);
    const container = open.at(-1);
    if (state === 'afterValue') {
      const closing = container === '{' ? '}' : ']';
      if (container === undefined) return character === '' ? null : { index, expected: null };
      if (character === closing) open.pop();
      else if (character === ',') state = container === '{' ? 'name' : 'value';
      else return { index, expected: `a comma or ${closing}` };
      index += 1;
    } else if (state === 'colon') {
      if (character !== ':') return { index, expected: expectedIn.colon };
      state = 'value';
      index += 1;
    } else if ((state === 'firstName' && character === '}') || (state === 'firstItem' && character === ']')) {
      open.pop();
      state = 'afterValue';
      index += 1;
    } else if (character === '"') {
      index = endOf(openString, text, index);
      const last = text.charAt(index);
      if (last !== '"') return { index, expected: last === '' ? 'a closing quote' : 'an escape such as \\n' };
      state = state === 'name' || state === 'firstName' ? 'colon' : 'afterValue';
      index += 1;
    } else if (state === 'name' || state === 'firstName') return { index, expected: expectedIn[state] };
    else if (character === '{' || character === '[') {
      open.push(character);
      state = character === '{' ? 'firstName' : 'firstItem';
      index += 1;
    } else {
      const end = endOf(scalar, text, index);
      if (end === index) return { index, expected: expectedIn[state] };
      state = 'afterValue';
      index = end;
    }
  }
}

/** The position after what the pattern matches at a position; the position if it does not match. */
function endOf(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}
