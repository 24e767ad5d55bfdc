/** The keywords of a JSON Schema that the fuzzer reads. */
export type Schema = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
  example?: string;
}

/** One operation of an OpenAPI document, with its references to components still in place. */
export interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters: readonly Parameter[];
  /** By media type; null for an operation without a body. */
  body: Readonly<Record<string, { schema: Schema; example?: unknown }>> | null;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Partial<Operation> & { requestBody?: { content: Operation['body'] } }>>;
  components: { schemas: Record<string, Schema> };
}

export function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId = '', parameters = [], requestBody }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content ?? null,
    })),
  );
}
