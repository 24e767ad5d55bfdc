// The types of BSON that the service sends: their codes, their names in `$type`, and their rank in
// MongoDB's order of values. Documents with values of other types are refused.

export const bsonTypes = {
  double: 0x01,
  string: 0x02,
  object: 0x03,
  array: 0x04,
  binData: 0x05,
  /** Only in keys of indexes, for an empty array. */
  undefined: 0x06,
  objectId: 0x07,
  bool: 0x08,
  date: 0x09,
  null: 0x0a,
  int: 0x10,
  long: 0x12,
} as const;

type BsonTypeName = keyof typeof bsonTypes;

const names = new Map<number, BsonTypeName>(
  Object.entries(bsonTypes).map(([name, type]) => [type, name as BsonTypeName]),
);

export function typeName(type: number): BsonTypeName {
  return names.get(type) ?? 'undefined';
}

/** Ranks in the order of values. The three numbers have one rank, and are compared by value. */
export const typeOrder = {
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
} as const;

const orders = new Uint8Array(256);
for (const [name, type] of Object.entries(bsonTypes)) {
  orders[type] = (typeOrder as Readonly<Record<string, number>>)[name] ?? typeOrder.number;
}

export function orderOfType(type: number): number {
  return orders[type] ?? 0;
}

/** The type of a name in `$type`; undefined if it is unknown. */
export function typeOfAlias(alias: string | undefined): number | undefined {
  return alias !== undefined && Object.hasOwn(bsonTypes, alias) ? bsonTypes[alias as BsonTypeName] : undefined;
}

/** Bytes of the values whose size follows from their type. */
export const fixedSizes: ReadonlyMap<number, number> = new Map<number, number>([
  [bsonTypes.null, 0],
  [bsonTypes.bool, 1],
  [bsonTypes.int, 4],
  [bsonTypes.double, 8],
  [bsonTypes.date, 8],
  [bsonTypes.long, 8],
  [bsonTypes.objectId, 12],
]);
