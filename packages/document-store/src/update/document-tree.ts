// A document that is being changed. Only the documents and arrays on the path to a changed value
// are decoded; the bytes of everything else stay as they are.
import { describe } from '../bson/describe.ts';
import { encodeFields } from '../bson/encode.ts';
import { bsonTypes } from '../bson/types.ts';
import { BsonValue, documentValue, elementsOf, fieldsOf, isArray, isObject, nullValue } from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import type { Path, PathPart } from '../query/path.ts';

/** MongoDB's limit for positions that an update may add to an array. */
const maxPadding = 1_500_000;

interface TreeField {
  name: string;
  value: BsonValue | Tree;
}

/** The result for the value at a path: a new value, no value, or no change. */
export type Outcome = BsonValue | 'remove' | 'keep';

export class Tree {
  readonly isArray: boolean;
  readonly fields: TreeField[];

  constructor(value: BsonValue) {
    this.isArray = isArray(value);
    this.fields = this.isArray ? elementsOf(value).map((element) => ({ name: '', value: element })) : fieldsOf(value);
  }

  toValue(): BsonValue {
    const bytes = encodeFields(
      this.fields.map(({ name, value }, position) => [
        this.isArray ? String(position) : name,
        value instanceof Tree ? value.toValue() : value,
      ]),
    );
    return new BsonValue(this.isArray ? bsonTypes.array : bsonTypes.object, bytes);
  }

  #find({ name, index }: PathPart): TreeField | undefined {
    if (this.isArray) return index === undefined ? undefined : this.fields[index];
    const text = name.toString();
    return this.fields.find((field) => field.name === text);
  }

  /**
   * Changes the value at a path. If `creates` is true, missing documents on the path are created.
   * If not, a path that does not exist changes nothing. Throws PathNotViable if the path leads
   * through a plain value, or by a name through an array.
   */
  change([part, ...rest]: Path, creates: boolean, decide: (current: BsonValue | undefined) => Outcome): void {
    if (!part) return;
    const field = this.#find(part);
    const [next] = rest;
    if (next) {
      this.#descend(part, field, next, creates)?.change(rest, creates, decide);
      return;
    }
    const outcome = decide(field?.value instanceof Tree ? field.value.toValue() : field?.value);
    if (outcome === 'keep') return;
    if (outcome !== 'remove') this.#set(part, field, outcome);
    else if (field && this.isArray) field.value = nullValue;
    else if (field) this.fields.splice(this.fields.indexOf(field), 1);
  }

  #set(part: PathPart, field: TreeField | undefined, value: BsonValue | Tree): void {
    if (field) {
      field.value = value;
      return;
    }
    if (this.isArray && part.index !== undefined) {
      if (part.index - this.fields.length > maxPadding)
        throw new CommandError('BadValue', `can't backfill more than ${maxPadding} elements`);
      while (this.fields.length < part.index) this.fields.push({ name: '', value: nullValue });
    }
    this.fields.push({ name: part.name.toString(), value });
  }

  /** The tree below `part`, decoded or created as needed; `undefined` if the path ends here. */
  #descend(part: PathPart, field: TreeField | undefined, next: PathPart, creates: boolean): Tree | undefined {
    if (!field && !creates) return undefined;
    const value = field?.value ?? documentValue(encodeFields([]));
    const tree = value instanceof Tree || !isContainer(value) ? value : new Tree(value);
    if (!(tree instanceof Tree) || (tree.isArray && next.index === undefined)) {
      if (!creates) return undefined;
      const element = `{${part.name.toString()}: ${describe(tree instanceof Tree ? tree.toValue() : tree)}}`;
      throw new CommandError('PathNotViable', `Cannot create field '${next.name.toString()}' in element ${element}`);
    }
    if (tree !== value) this.#set(part, field, tree);
    return tree;
  }
}

function isContainer(value: BsonValue): boolean {
  return isObject(value) || isArray(value);
}
