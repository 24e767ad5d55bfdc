import { cutRecords, readJsonRecords } from '../../../shared/ingest/otlp/json-records.ts';
import type { OtlpSchema } from '../../../shared/ingest/otlp/otlp-schema.ts';
import { readProtobufRecords } from '../../../shared/ingest/otlp/protobuf-records.ts';
import { limitsOf, type SentRecord, tooManyOtherFields } from '../../../shared/ingest/otlp/sent-record.ts';
import type { ReadingCost } from '../../../shared/ingest/reading/entry-limits.ts';
import { readBody } from '../../http/body/request-body.ts';
import type { AppContext } from '../../http/context.ts';
import { encodingOf } from './otlp-encoding.ts';

/** The log records of a body, plain or compressed. @throws AppError when it is not valid. */
export async function sentRecords(
  ctx: AppContext,
  schema: OtlpSchema,
  maxBytes: number,
  cost: ReadingCost,
): Promise<AsyncGenerator<SentRecord>> {
  const limits = limitsOf(maxBytes);
  if (encodingOf(ctx) === 'protobuf') {
    const onPiece = ({ length }: Buffer) => cost.add(length, 0);
    return readProtobufRecords(await readBody(ctx, maxBytes, { onPiece, isUtf8Required: false }), schema, limits);
  }
  const cutter = cutRecords(limits);
  const onPiece = (piece: Buffer) => {
    cost.add(piece.length, 0);
    if (!cutter.push(piece)) throw tooManyOtherFields(limits);
  };
  return readJsonRecords(await readBody(ctx, maxBytes, { onPiece }), cutter, schema, limits);
}
