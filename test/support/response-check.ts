import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { allRoutes } from '../../api/all-routes.ts';
import { openApiDocument } from '../../api/http/openapi-document.ts';
import type { RouteSettings } from '../../api/http/route.ts';

interface Response {
  content?: Record<string, { schema?: object }>;
  headers?: Record<string, unknown>;
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { schemas: Record<string, object> };
}

/** A response with the parsed body. */
interface CheckedResponse {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

/**
 * Throws if the OpenAPI document does not declare the status, the headers or the schema of the
 * response.
 */
export type ResponseCheck = (method: string, path: string, response: CheckedResponse) => void;

const checks = new Map<string, ResponseCheck>();

/** Services with equal OpenAPI documents share one check, because compiling the schemas is slow. */
export function getResponseCheck(settings: RouteSettings): ResponseCheck {
  const { auth, notebooks, pageSize } = settings.config;
  const key = JSON.stringify([auth.mode, notebooks.variant, pageSize]);
  const known = checks.get(key) ?? createCheck(settings);
  checks.set(key, known);
  return known;
}

function createCheck(settings: RouteSettings): ResponseCheck {
  const routes = allRoutes(settings);
  const document = JSON.parse(JSON.stringify(openApiDocument(routes, settings.config))) as Document;
  // Every component is compiled once, not into each schema that refers to it.
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...(withoutAdditionalProperties(document) as object) });
  /** By schema, because most refusals have the same one. */
  const compiled = new Map<string, ValidateFunction>();
  const documented = routes.filter(({ isDocumented }) => isDocumented !== false);
  const patterns = documented.map(({ method, path }) => ({
    method,
    path,
    pattern: new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
    fixed: path.includes('{') ? 1 : 0,
  }));
  patterns.sort((one, other) => one.fixed - other.fixed);

  return (sentMethod, sentPath, response) => {
    const method = sentMethod === 'HEAD' ? 'GET' : sentMethod;
    const { pathname } = new URL(sentPath, 'http://localhost');
    const route = patterns.find((candidate) => candidate.method === method && candidate.pattern.test(pathname));
    // Requests without a matching route get their responses from middleware, which the document
    // does not describe.
    if (!route) return;
    const place = `${method} ${route.path} ${response.status}`;
    const declared = document.paths[route.path]?.[method.toLowerCase()]?.responses[response.status];
    if (!declared) throw new Error(`${place} is not declared: ${response.text}`);
    checkHeaders(place, declared, response.headers);
    const sentType = withoutParameters(response.headers.get('Content-Type') ?? '');
    const [type, media] =
      Object.entries(declared.content ?? {}).find(([name]) => ['*/*', sentType].includes(withoutParameters(name))) ??
      [];
    if (response.text !== '' && !media) throw new Error(`${place} does not declare the media type ${sentType}.`);
    if (sentMethod === 'HEAD' || response.status === 204) expect(response.text, place).to.equal('');
    if (sentMethod === 'HEAD' || type === undefined || !media?.schema) return;
    const key = JSON.stringify(media.schema);
    const pointer = ['paths', route.path, method.toLowerCase(), 'responses', String(response.status)];
    const reference = `document#/${[...pointer, 'content', type, 'schema'].map(escapePointer).join('/')}`;
    const validate = compiled.get(key) ?? ajv.compile({ $ref: reference });
    compiled.set(key, validate);
    if (!validate(response.body)) {
      throw new Error(`${place} does not match its schema: ${ajv.errorsText(validate.errors)}\n${response.text}`);
    }
  };
}

/** Parameters of a media type. */
const withoutParameters = (type: string) => type.split(';')[0];

const ownHeaders =
  /^(?:x-(?:request|ratelimit|cache)|etag|cache-control|content-encoding|location|retry-after|idempotent|preference|set-cookie|www-authenticate)/;

function checkHeaders(place: string, declared: Response, headers: Headers): void {
  const names = new Set(Object.keys(declared.headers ?? {}).map((name) => name.toLowerCase()));
  for (const name of headers.keys()) {
    if (ownHeaders.test(name) && !names.has(name)) throw new Error(`${place} does not declare the header ${name}.`);
  }
  checkCaching(place, headers);
}

function checkCaching(place: string, headers: Headers): void {
  const cacheControl = headers.get('Cache-Control');
  if (!headers.has('ETag')) {
    if (cacheControl !== 'no-store') expect(cacheControl, place).to.match(/^public, max-age=/);
    return;
  }
  expect(cacheControl, place).to.be.oneOf(['private, no-cache', 'no-store']);
  expect(headers.get('Vary'), place).to.match(/\bAuthorization, X-API-Key, Cookie\b/);
}

const escapePointer = (part: string) =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%7E', '~');

/**
 * Makes schemas reject unnamed properties, except the parts of `allOf`, because each part names
 * only some properties.
 */
function withoutAdditionalProperties(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutAdditionalProperties);
  if (typeof part !== 'object' || part === null) return part;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, key === 'allOf' ? value : withoutAdditionalProperties(value)]),
  );
  const isOpen = copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}
