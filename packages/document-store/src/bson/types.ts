// The types of BSON: their codes, their names in `$type`, and their rank in MongoDB's order of
// values.

export const bsonTypes = {
  double: 0x01,
  string: 0x02,
  object: 0x03,
  array: 0x04,
  binData: 0x05,
  undefined: 0x06,
  objectId: 0x07,
  bool: 0x08,
  date: 0x09,
  null: 0x0a,
  regex: 0x0b,
  dbPointer: 0x0c,
  javascript: 0x0d,
  symbol: 0x0e,
  javascriptWithScope: 0x0f,
  int: 0x10,
  timestamp: 0x11,
  long: 0x12,
  decimal: 0x13,
  maxKey: 0x7f,
  minKey: 0xff,
} as const;

type BsonTypeName = keyof typeof bsonTypes;

const names = new Map<number, BsonTypeName>(
  Object.entries(bsonTypes).map(([name, type]) => [type, name as BsonTypeName]),
);

export function typeName(type: number): BsonTypeName {
  return names.get(type) ?? 'undefined';
}

/**
 * Ranks in the order of values. Types of one rank are compared by value: the four numbers; strings
 * and symbols.
 */
export const typeOrder = {
  minKey: 1,
  undefined: 4,
  null: 5,
  number: 10,
  string: 15,
  object: 20,
  array: 25,
  binData: 30,
  objectId: 35,
  bool: 40,
  date: 45,
  timestamp: 47,
  regex: 50,
  dbPointer: 55,
  javascript: 60,
  javascriptWithScope: 65,
  maxKey: 127,
} as const;

const orders = new Uint8Array(256);
for (const [name, type] of Object.entries(bsonTypes)) {
  orders[type] = (typeOrder as Readonly<Record<string, number>>)[name] ?? typeOrder.number;
}
orders[bsonTypes.symbol] = typeOrder.string;

export function orderOfType(type: number): number {
  return orders[type] ?? 0;
}

/** The types of an alias of `$type`, which is a name or a code; `undefined` if it is unknown. */
export function typesOfAlias(alias: string | number | undefined): readonly number[] | undefined {
  if (alias === 'number') return [bsonTypes.int, bsonTypes.long, bsonTypes.double, bsonTypes.decimal];
  if (typeof alias === 'string')
    return Object.hasOwn(bsonTypes, alias) ? [bsonTypes[alias as BsonTypeName]] : undefined;
  const type = alias === -1 ? bsonTypes.minKey : alias;
  return type !== undefined && type !== 255 && names.has(type) ? [type] : undefined;
}

/** Bytes of the values whose size follows from their type. */
export const fixedSizes: ReadonlyMap<number, number> = new Map<number, number>([
  [bsonTypes.undefined, 0],
  [bsonTypes.null, 0],
  [bsonTypes.minKey, 0],
  [bsonTypes.maxKey, 0],
  [bsonTypes.bool, 1],
  [bsonTypes.int, 4],
  [bsonTypes.double, 8],
  [bsonTypes.date, 8],
  [bsonTypes.timestamp, 8],
  [bsonTypes.long, 8],
  [bsonTypes.objectId, 12],
  [bsonTypes.decimal, 16],
]);
