// The text of a notebook file, as Jupyter's Contents API sends it. Only the metadata are parsed, and
// only their changed members are written: outputs of cells contain integers that JavaScript would
// round, and `NaN`, which JSON does not have.

/** Positions in a text, half open. */
interface Range {
  start: number;
  end: number;
}

export class NotebookFile {
  readonly #text: string;
  readonly #content: Range;
  readonly #metadata: Range;

  /** @throws SyntaxError for text that is not the JSON of a notebook. */
  constructor(text: string) {
    this.#text = text;
    this.#content = objectIn(text, { start: text.search(/\S/), end: text.length }, 'content');
    this.#metadata = objectIn(text, this.#content, 'metadata');
  }

  /** A member of the metadata; undefined if it is absent. @throws SyntaxError if it is not JSON. */
  metadata(name: string): unknown {
    const found = membersOf(this.#text, this.#metadata).get(name);
    return found && JSON.parse(this.#text.slice(found.start, found.end));
  }

  /** The JSON of the content, with changed members of the metadata. */
  contentWith(changes: object): string {
    const [text, content, metadata] = [this.#text, this.#content, this.#metadata];
    const kept = [...membersOf(text, metadata)].filter(([name]) => !Object.hasOwn(changes, name));
    const members = [
      ...kept.map(([name, { start, end }]) => `${JSON.stringify(name)}:${text.slice(start, end)}`),
      ...Object.entries(changes).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
    ];
    const before = text.slice(content.start, metadata.start);
    return `${before}{${members.join(',')}}${text.slice(metadata.end, content.end)}`;
  }
}

/** The object that is a member of the object in the range. */
function objectIn(text: string, range: Range, name: string): Range {
  const found = text[range.start] === '{' ? membersOf(text, range).get(name) : undefined;
  if (!found || text[found.start] !== '{') throw new SyntaxError(`no object ${name}`);
  return found;
}

/** The values of the object in the range, by name. @throws SyntaxError for an object without end. */
function membersOf(text: string, { start }: Range): Map<string, Range> {
  const members = new Map<string, Range>();
  const name = /\s*("[^"\\]*(?:\\.[^"\\]*)*")\s*:\s*/y;
  for (let end = start; end === start || text[end] === ','; ) {
    name.lastIndex = end + 1;
    const [, quoted] = name.exec(text) ?? [];
    if (quoted === undefined) break;
    end = endOfValue(text, name.lastIndex);
    members.set(JSON.parse(quoted), { start: name.lastIndex, end });
  }
  return members;
}

/** The position of the comma or the bracket that follows the value. */
function endOfValue(text: string, start: number): number {
  const mark = /["{}[\],]/g;
  mark.lastIndex = start;
  for (let depth = 0; ; ) {
    const found = mark.exec(text);
    if (!found) throw new SyntaxError('the JSON text ended too early');
    const [character] = found;
    if (character === '"') mark.lastIndex = endOfString(text, found.index);
    else if (character === '{' || character === '[') depth += 1;
    else if (depth === 0) return found.index;
    else if (character !== ',') depth -= 1;
  }
}

/** A regular expression would overflow the stack on long strings. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close >= 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  if (close < 0) throw new SyntaxError('the JSON text ended too early');
  return close + 1;
}

/** Whether an odd number of backslashes precedes the position. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}
