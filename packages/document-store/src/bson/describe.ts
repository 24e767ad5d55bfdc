import { numberOf } from './numbers.ts';
import { bsonTypes, typeName } from './types.ts';
import { type BsonValue, elementsOf, fieldsOf, textOf } from './value.ts';

/** A value as it reads in MongoDB's messages: `{ a: 1, b: "x" }`. */
export function describe(value: BsonValue | undefined): string {
  if (!value) return 'missing';
  switch (value.type) {
    case bsonTypes.string:
      return JSON.stringify(textOf(value));
    case bsonTypes.int:
    case bsonTypes.double:
    case bsonTypes.long:
      return String(numberOf(value));
    case bsonTypes.bool:
      return String(value.bytes[value.start] === 1);
    case bsonTypes.objectId:
      return `ObjectId('${value.raw.toString('hex')}')`;
    case bsonTypes.date:
      return `new Date(${value.bytes.readBigInt64LE(value.start)})`;
    case bsonTypes.binData:
      return `BinData(${value.bytes[value.start + 4]}, ${value.raw.subarray(5).toString('hex').toUpperCase()})`;
    case bsonTypes.object: {
      const fields = fieldsOf(value).map(({ name, value: field }) => `${name}: ${describe(field)}`);
      return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
    }
    case bsonTypes.array: {
      const elements = elementsOf(value).map(describe);
      return elements.length === 0 ? '[]' : `[ ${elements.join(', ')} ]`;
    }
    default:
      return typeName(value.type);
  }
}
