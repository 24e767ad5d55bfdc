import { extname } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { AppContext } from '../http/context.ts';

/** Files that a page loads, by name. */
export type StaticFiles = ReadonlyMap<string, ReturnType<typeof staticFile>>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

export const staticFile = (name: string, bytes: Buffer) => ({
  type: types[extname(name)] ?? 'application/octet-stream',
  bytes,
});

/** @throws AppError NOT_FOUND */
export function fileOf(files: StaticFiles, name: string, { path }: AppContext) {
  const file = files.get(name);
  if (!file) throw new AppError('NOT_FOUND', `There is nothing at ${path}.`);
  return file;
}
