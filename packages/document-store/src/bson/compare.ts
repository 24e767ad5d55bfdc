// MongoDB's order of values, on their bytes.
import { compareNumbers, numberOf } from './numbers.ts';
import { typeOrder } from './types.ts';
import { type BsonValue, elementsOf, fieldsOf } from './value.ts';

function compareText(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Compares the bytes of two values, without the first `from` and the last `cut` bytes. */
function compareBytes(left: BsonValue, right: BsonValue, from = 0, cut = 0): number {
  const { bytes, start, end } = right;
  return left.bytes.compare(bytes, start + from, end - cut, left.start + from, left.end - cut);
}

function compareDocuments(left: BsonValue, right: BsonValue): number {
  const others = fieldsOf(right);
  for (const [index, { name, value }] of fieldsOf(left).entries()) {
    const other = others[index];
    if (!other) return 1;
    const order = value.order - other.value.order || compareText(name, other.name) || compareValues(value, other.value);
    if (order !== 0) return order;
  }
  return fieldsOf(left).length - others.length;
}

function compareArrays(left: BsonValue, right: BsonValue): number {
  const elements = elementsOf(left);
  const others = elementsOf(right);
  for (const [index, element] of elements.entries()) {
    const other = others[index];
    if (!other) return 1;
    const order = compareValues(element, other);
    if (order !== 0) return order;
  }
  return elements.length - others.length;
}

/**
 * MongoDB's total order: by type, then by value. Arrays are compared as a whole. @returns below 0,
 * 0 or above 0.
 */
export function compareValues(left: BsonValue, right: BsonValue): number {
  const { order } = left;
  if (order !== right.order) return order - right.order;
  switch (order) {
    case typeOrder.number:
      return compareNumbers(numberOf(left) ?? 0, numberOf(right) ?? 0);
    case typeOrder.string:
      // The order of UTF-8 bytes is the order of code points.
      return compareBytes(left, right, 4, 1);
    case typeOrder.object:
      return compareDocuments(left, right);
    case typeOrder.array:
      return compareArrays(left, right);
    case typeOrder.binData:
      // First by length, then by the bytes, which begin with the subtype of binary data.
      return left.end - left.start - (right.end - right.start) || compareBytes(left, right, 4);
    case typeOrder.date: {
      const a = left.bytes.readBigInt64LE(left.start);
      const b = right.bytes.readBigInt64LE(right.start);
      return a < b ? -1 : Number(a > b);
    }
    default:
      // ObjectIds and booleans by their bytes; the others have no content.
      return compareBytes(left, right);
  }
}

export function equalValues(left: BsonValue, right: BsonValue): boolean {
  return compareValues(left, right) === 0;
}
