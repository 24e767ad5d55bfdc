import { AppError } from '../../shared/errors.ts';

/** From `start` up to and without `end`. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * Reads the header `Range` of a request for a body of `size` bytes.
 * @returns undefined if the whole body is to be sent: without a range, for several ranges, and for
 * another unit or syntax.
 * @throws AppError RANGE_NOT_SATISFIABLE if the range begins behind the end.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [first, last] = [match[1], match[2]].map((digits) => (digits === '' ? undefined : Number(digits)));
  if (first !== undefined && last !== undefined && last < first) return undefined;
  const start = first ?? Math.max(0, size - (last ?? 0));
  const end = first === undefined || last === undefined ? size : Math.min(size, last + 1);
  if (start < end) return { start, end };
  throw new AppError('RANGE_NOT_SATISFIABLE', `The range is outside of the ${size} bytes of the file.`, {
    headers: { 'Content-Range': `bytes */${size}` },
  });
}
