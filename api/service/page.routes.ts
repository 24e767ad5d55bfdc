import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Config } from '../../shared/config/config.ts';
import { unavailable } from '../../shared/errors.ts';
import { publicAccess } from '../http/access/access-rules.ts';
import { contentTag } from '../http/entity-tag.ts';
import { Joi } from '../http/input.ts';
import { content, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';
import { serviceTag } from './health.routes.ts';
import { fileOf, type StaticFiles, staticFile } from './static-files.ts';

/** Scripts, styles and images come from this host, none are inline, and no text becomes HTML. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export function pageRoutes({ config }: RouteSettings): Route[] {
  let read: ReturnType<typeof readPageFiles> | undefined;
  const files = () => {
    read ??= readPageFiles(config);
    return read;
  };
  const shared = {
    method: 'GET',
    tag: serviceTag,
    isDocumented: false,
    access: publicAccess,
    limit: null,
    compressed: 'once',
  } as const;
  return [
    defineRoute({
      ...shared,
      path: '/',
      operationId: 'getPage',
      summary: 'Show the page for people',
      responses: {
        200: content('text/html', {
          headers: ['Content-Type', 'Content-Security-Policy', 'Cache-Control', 'ETag'],
        }),
      },
      errors: { SERVICE_UNAVAILABLE: 'The page was not built.' },
      handle: async ({ ctx }) => {
        const html = fileOf(files(), 'index.html', ctx);
        return reply(200, html.bytes, {
          'Content-Type': html.type,
          'Content-Security-Policy': contentSecurityPolicy,
          'Cache-Control': 'no-cache',
          ETag: contentTag({ html: html.bytes.toString() }),
        });
      },
    }),
    defineRoute({
      ...shared,
      path: '/page/{file}',
      operationId: 'getPageFile',
      summary: 'Read a file of the page',
      params: Joi.object<{ file: string }>({ file: Joi.string().required().example('icon.svg') }),
      responses: {
        200: content('*/*', { headers: ['Content-Type', 'Cache-Control'] }),
      },
      errors: { NOT_FOUND: 'The page has no file of this name.', SERVICE_UNAVAILABLE: 'The page was not built.' },
      handle: async ({ params, ctx }) => {
        const file = fileOf(files(), params.file, ctx);
        const isHashed = /-[A-Z0-9]{8}\.\w+$/.test(params.file);
        return reply(200, file.bytes, {
          'Content-Type': file.type,
          'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
        });
      },
    }),
  ];
}

/**
 * Reads the bundled page (`scripts/build.mjs`) into memory, by name.
 * @throws AppError SERVICE_UNAVAILABLE if the page was not built.
 */
function readPageFiles(config: Config): StaticFiles {
  const folder = dirname(locateIndex());
  return new Map(
    readdirSync(folder).map((name) => {
      const read = readFileSync(join(folder, name));
      return [name, staticFile(name, name === 'index.html' ? withSettings(read, config) : read)];
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

/** Settings that the page needs before its first request. */
function withSettings(html: Buffer, { auth, notebooks }: Config): Buffer {
  const settings = { auth_mode: auth.mode, registration: auth.registration, notebooks: notebooks.variant };
  const content = JSON.stringify(settings).replaceAll('"', '&quot;');
  return Buffer.from(html.toString().replace('name="meterbook" content=""', `name="meterbook" content="${content}"`));
}
