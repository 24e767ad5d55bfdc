import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { Config } from '../../shared/config/config.ts';
import { unavailable } from '../../shared/errors.ts';

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Settings that the page needs before its first request. */
type PageConfig = Pick<Config, 'auth' | 'notebooks'>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Reads the bundled page (`scripts/build.mjs`) into memory, by name.
 * @throws AppError SERVICE_UNAVAILABLE if the page was not built.
 */
export function readPageFiles(config: PageConfig): ReadonlyMap<string, PageFile> {
  const folder = dirname(locateIndex());
  return new Map(
    readdirSync(folder).map((name) => {
      const read = readFileSync(join(folder, name));
      const type = types[extname(name)] ?? 'application/octet-stream';
      return [name, { type, bytes: name === 'index.html' ? withSettings(read, config) : read }];
    }),
  );
}

/**
 * The folder of the bundle is the same for the sources and for the compiled code: package.json
 * names it.
 */
function locateIndex(): string {
  try {
    return createRequire(import.meta.url).resolve('#page/index.html');
  } catch (error) {
    throw unavailable('The page has not been built: run `npm run build` and start the service again.', 60, error);
  }
}

function withSettings(html: Buffer, { auth, notebooks }: PageConfig): Buffer {
  const settings = { auth_mode: auth.mode, registration: auth.registration, notebooks: notebooks.variant };
  const content = JSON.stringify(settings).replaceAll('"', '&quot;');
  return Buffer.from(html.toString().replace('name="meterbook" content=""', `name="meterbook" content="${content}"`));
}
