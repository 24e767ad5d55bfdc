// Finds the offer files of the vendor's price list, in a folder or below an address. An index
// promises a file for each Region: if one is missing, half of a run would be applied.
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { PriceBookFile } from '../price-book-file.ts';
import { serviceOf } from './aws-product.ts';
import { isAddress, type OnProgress, openFile } from './open-file.ts';
import { type IsRead, SourceError, type SourceFile } from './price-point.ts';
import { fieldsOf, pathIn, readJson, textOf } from './read-json.ts';

const offers = ['AWSQueueService', 'AWSLambda', 'AmazonBedrock', 'AmazonBedrockFoundationModels'];

interface FindContext {
  book: PriceBookFile;
  isRead: IsRead;
  onProgress: OnProgress;
}

export async function* findAwsFiles(location: string, context: FindContext): AsyncGenerator<SourceFile> {
  if (!isAddress(location)) {
    yield* findInFolder(location, context);
    return;
  }
  if (new URL(location).pathname.endsWith('.json')) {
    yield* followIndex(location, context);
    return;
  }
  for (const offer of offers) {
    const path = `offers/v1.0/aws/${offer}/current/region_index.json`;
    yield* followIndex(`${location.replace(/\/*$/, '/')}${path}`, context);
  }
}

async function* findInFolder(folder: string, context: FindContext): AsyncGenerator<SourceFile> {
  const found = await stat(folder).catch((error: Error) => {
    throw new SourceError(folder, `the folder cannot be read: ${error.message}`, { cause: error });
  });
  if (found.isFile()) {
    yield openFile(folder, context.onProgress);
    return;
  }
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort();
  const indexes = names.filter((name) => name.endsWith('region_index.json')).map((name) => join(folder, name));
  // The index decides which of its versions is read.
  const indexed = indexes.map((index) => dirname(index).replace(/[/\\]current$/, ''));
  const offerFiles = names
    .map((name) => join(folder, name))
    .filter((path) => !indexed.some((below) => path.startsWith(`${below}${sep}`)));
  if (names.length === 0) throw new SourceError(folder, 'the folder has no offer files');
  for (const index of indexes) yield* followIndex(index, context, folder);
  for (const path of offerFiles) yield openFile(path, context.onProgress);
}

/**
 * The files of the book's Regions in `region_index.json`; any other file is an offer itself. An
 * index whose path names a service that is not read has none.
 */
async function* followIndex(index: string, context: FindContext, root = ''): AsyncGenerator<SourceFile> {
  const { book, isRead, onProgress } = context;
  const service = index
    .split(/[/\\]/)
    .map(serviceOf)
    .findLast((name) => name !== undefined);
  if (service !== undefined && !isRead(service)) return;
  if (!index.endsWith('region_index.json')) {
    yield openFile(index, onProgress);
    return;
  }
  const regions = new Map<string, string>();
  for await (const { path, value } of readJson(openFile(index, onProgress), ['$.regions.*'])) {
    const { regionCode, currentVersionUrl } = fieldsOf(value);
    const code = textOf(regionCode) ?? '';
    const target = textOf(currentVersionUrl) ?? '';
    if (code !== path.at(-1) || !/^\/(?!\/)[\w./-]+$/.test(target) || target.includes('..')) {
      throw new SourceError(pathIn(index, ...path), 'the entry does not name a Region and a path on the same host');
    }
    if (book.regions.some((region) => region.code === code)) regions.set(code, target);
  }
  if (regions.size === 0) throw new SourceError(index, 'the index has no Region of the price book');
  for (const [expectedRegion, target] of regions) {
    const path = isAddress(index) ? new URL(target, index).href : await findLocal(index, root, target, expectedRegion);
    yield { ...openFile(path, onProgress), expectedRegion };
  }
}

/** A copy has the file at its path, or in a folder of the Region's name beside the index. */
async function findLocal(index: string, root: string, target: string, region: string): Promise<string> {
  const mirrored = join(root, target);
  const exists = await stat(mirrored).then(
    () => true,
    () => false,
  );
  return exists ? mirrored : join(dirname(index), region, 'index.json');
}
