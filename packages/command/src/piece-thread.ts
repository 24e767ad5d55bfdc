// The thread that processes pieces of a log.
import { workerData } from 'node:worker_threads';
import { serveTasks } from '../../../shared/process/thread-pool.ts';
import type { Piece } from './pieces.ts';
import { createPieceProcessor, type PieceTerms } from './process-piece.ts';

const processPiece = createPieceProcessor(workerData as PieceTerms);

serveTasks(({ bytes, form }: Piece) => {
  const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return processPiece({ bytes: piece, form });
});
