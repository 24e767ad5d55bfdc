// The rules for documents that are stored.
import { ObjectId } from 'bson';
import { encodeFields } from './bson/encode.ts';
import { bsonTypes, typeName } from './bson/types.ts';
import { BsonValue, documentValue, fieldOf, fieldsOf, isArray, isObject, walkFields } from './bson/value.ts';
import { CommandError } from './errors.ts';

/** MongoDB's limit for one document. */
export const maxDocumentBytes = 16 * 1024 * 1024;

const idName = Buffer.from('_id');
/**
 * The offset of the value of `_id` if it is the first field: after the length, the type and the
 * name.
 */
const idStart = 4 + 1 + 4;

export function idOf(bytes: Buffer): BsonValue | undefined {
  return fieldOf(documentValue(bytes), idName);
}

function checkId(id: BsonValue): void {
  if (isArray(id)) throw new CommandError('InvalidIdField', `The '_id' value cannot be of type ${typeName(id.type)}`);
  const operator = isObject(id) ? fieldsOf(id).find(({ name }) => name.startsWith('$')) : undefined;
  if (operator)
    throw new CommandError(
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${operator.name} is not valid for storage.`,
    );
}

function newId(): BsonValue {
  return new BsonValue(bsonTypes.objectId, Buffer.from(new ObjectId().id));
}

function countIds(bytes: Buffer): number {
  let count = 0;
  walkFields(documentValue(bytes), (nameStart, nameEnd) => {
    if (nameEnd - nameStart === idName.length && idName.compare(bytes, nameStart, nameEnd) === 0) count += 1;
    return false;
  });
  return count;
}

/**
 * Makes `_id` the first field and adds it if it is missing. Throws if the document cannot be
 * stored.
 */
export function toStoredDocument(bytes: Buffer): Buffer {
  if (bytes.length > maxDocumentBytes)
    throw new CommandError(
      'BSONObjectTooLarge',
      `object to insert too large. size in bytes: ${bytes.length}, max size: ${maxDocumentBytes}`,
    );
  if (countIds(bytes) > 1) throw new CommandError('BadValue', "can't have multiple _id fields in one document");
  const id = idOf(bytes) ?? newId();
  checkId(id);
  if (id.start === idStart) return bytes;
  const others = fieldsOf(documentValue(bytes)).filter(({ name }) => name !== '_id');
  return encodeFields([['_id', id], ...others.map(({ name, value }): [string, BsonValue] => [name, value])]);
}
