import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { allRoutes } from '../../../api/all-routes.ts';
import { check, fieldsOf } from '../../../api/http/input.ts';
import { openApiDocument } from '../../../api/http/openapi-document.ts';
import { createRouteSettings } from '../../support/route-settings.ts';

interface Response {
  $ref?: string;
  headers?: object;
  content?: Record<string, { schema?: { $ref?: string }; example?: unknown }>;
}

interface Operation {
  operationId: string;
  requestBody?: Response;
  responses: Record<string, Response>;
}

interface Document {
  info: object;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { examples?: unknown[] }>; responses: Record<string, Response> };
}

const documentOf = (environment: Record<string, string> = {}) => {
  const settings = createRouteSettings(environment);
  return JSON.parse(JSON.stringify(openApiDocument(allRoutes(settings), settings.config))) as Document;
};
const pointerPart = (part: string) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((methods) => Object.values(methods));

describe('the OpenAPI document', () => {
  const document = documentOf();

  it('has the version of the notebook variant, and beside it that of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    for (const variant of ['0.1.0', '0.2.0']) {
      const { info } = documentOf({ NOTEBOOK_API_VARIANT: variant });
      expect(info).to.include({ version: variant, 'x-service-version': version });
    }
  });

  it('describes the headers of every response', () => {
    for (const { operationId, responses } of operationsOf(document)) {
      for (const [status, response] of Object.entries(responses)) {
        const name = response.$ref?.split('/').at(-1);
        const { headers } = name === undefined ? response : (document.components.responses[name] ?? {});
        expect(headers, `${operationId} ${status}`).to.have.property('X-Request-ID');
        if (status === '429') expect(headers, operationId).to.include.keys('Retry-After', 'X-RateLimit-Limit');
        // The service sends the others before it has chosen a route.
        if (name === undefined) expect(headers, `${operationId} ${status}`).to.have.property('Cache-Control');
        if (headers && 'ETag' in headers) expect(headers, `${operationId} ${status}`).to.have.property('Vary');
      }
    }
  });

  it('has examples of requests, responses and schemas that match their schemas', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ ...document, $id: 'document' });
    const checkExample = (pointer: string, example: unknown) => {
      const isValid = ajv.validate({ $ref: `document#${pointer}` }, example);
      expect(isValid, `${pointer}: ${ajv.errorsText()}`).to.equal(true);
    };
    const described: string[] = [];
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { requestBody = {}, responses }] of Object.entries(methods)) {
        const answers = Object.entries(responses).map(([status, one]) => [['responses', status], one] as const);
        for (const [place, { content = {} }] of [[['requestBody'], requestBody] as const, ...answers]) {
          for (const [type, media] of Object.entries(content)) {
            if (media.example === undefined) continue;
            checkExample(
              ['paths', path, method, ...place, 'content', type, 'schema'].map(pointerPart).join(''),
              media.example,
            );
            described.push(media.schema?.$ref ?? '');
          }
        }
      }
    }
    for (const [name, { examples = [] }] of Object.entries(document.components.schemas)) {
      for (const example of examples) checkExample(`/components/schemas/${name}`, example);
      if (examples.length > 0) described.push(`#/components/schemas/${name}`);
    }
    const names = ['Scenario', 'ScenarioList', 'Metrics', 'PartialBatchResult', 'NotebookAnswer', 'ErrorEnvelope'];
    expect(described).to.include.members(names.map((name) => `#/components/schemas/${name}`));
  });

  it('has examples of requests that their routes accept', () => {
    for (const { operationId, params, query, headers, body } of allRoutes(createRouteSettings())) {
      const parameters = [params, query, headers].flatMap((schema) => (schema ? fieldsOf(schema) : []));
      for (const { key, schema } of parameters) {
        for (const example of schema.$_terms['examples'] ?? []) {
          expect(schema.validate(example).error, `${operationId} ${key}`).to.equal(undefined);
        }
      }
      if (body && 'schema' in body) expect(check(body.schema, body.example), operationId).to.have.property('value');
    }
  });

  it('follows the variant of the notebook interface', () => {
    const statuses = ['0.1.0', '0.2.0'].map((variant) => {
      const operations = operationsOf(documentOf({ NOTEBOOK_API_VARIANT: variant }));
      return Object.keys(operations.find(({ operationId }) => operationId === 'listNotebooks')?.responses ?? {});
    });
    expect(statuses[0]).to.include.members(['400', '401', '429']);
    expect(statuses[1]).to.include('422').and.not.include('400').and.not.include('429');
  });
});
