// What a document must be to be stored, and the form in which it is.
import { ObjectId } from 'bson';
import { encodeFields } from './bson/encode.ts';
import { bsonTypes, typeName } from './bson/types.ts';
import { BsonValue, documentValue, type Field, fieldOf, fieldsOf, isArray, isObject, isRegex } from './bson/value.ts';
import { CommandError } from './errors.ts';

/** MongoDB's limit for one document. */
export const maxDocumentBytes = 16 * 1024 * 1024;

const idName = Buffer.from('_id');

export function idOf(bytes: Buffer): BsonValue | undefined {
  return fieldOf(documentValue(bytes), idName);
}

function checkId(id: BsonValue): void {
  if (isArray(id) || isRegex(id) || id.type === bsonTypes.undefined)
    throw new CommandError('InvalidIdField', `The '_id' value cannot be of type ${typeName(id.type)}`);
  const operator = isObject(id) ? fieldsOf(id).find(({ name }) => name.startsWith('$')) : undefined;
  if (operator)
    throw new CommandError(
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${operator.name} is not valid for storage.`,
    );
}

function newId(): Field {
  return { name: '_id', value: new BsonValue(bsonTypes.objectId, Buffer.from(new ObjectId().id)) };
}

/** The document with `_id` as its first field, a new one if it has none. Throws if it can not be stored. */
export function toStoredDocument(bytes: Buffer): Buffer {
  if (bytes.length > maxDocumentBytes)
    throw new CommandError(
      'BSONObjectTooLarge',
      `object to insert too large. size in bytes: ${bytes.length}, max size: ${maxDocumentBytes}`,
    );
  const fields = fieldsOf(documentValue(bytes));
  const [id = newId(), ...others] = fields.filter(({ name }) => name === '_id');
  if (others.length > 0) throw new CommandError('BadValue', "can't have multiple _id fields in one document");
  checkId(id.value);
  if (id === fields[0]) return bytes;
  return encodeFields([id, ...fields.filter((field) => field !== id)].map(({ name, value }) => [name, value]));
}
