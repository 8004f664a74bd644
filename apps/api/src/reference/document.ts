// biome-ignore lint/suspicious/noExplicitAny: JSON Schema is any JSON
export type Schema = Record<string, any>;

export interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required?: boolean;
  deprecated?: boolean;
  description?: string;
  schema: Schema;
}

/** An operation of openapi.json, with its path and method. */
export interface DocumentedOperation {
  operationId: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description?: string;
  parameters: Parameter[];
  body?: { schema: Schema; example?: unknown };
  responses: Record<string, Schema>;
  /** A webhook: Startline sends this request. */
  isSent: boolean;
}

export interface Group {
  name: string;
  title: string;
  slug: string;
  description: string;
  operations: DocumentedOperation[];
}

export function groupsOf(document: Schema): Group[] {
  const { parameters } = document.components;
  const operations = operationsOf(document.paths, parameters);
  const sent = operationsOf(document.webhooks, parameters).map((operation) => ({
    ...operation,
    isSent: true,
  }));
  return (document.tags as { name: string; description: string }[])
    .map(({ name, description }) => ({
      name,
      title: name.replace(/(?<=[a-z])(?=[A-Z])/g, ' '),
      slug: name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase(),
      description,
      operations: [...operations, ...sent].filter(({ tag }) => tag === name),
    }))
    .filter((group) => group.operations.length > 0);
}

function operationsOf(
  paths: Record<string, Record<string, Schema>>,
  shared: Record<string, Parameter>,
): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const content = operation.requestBody?.content['application/json'];
      return {
        ...{
          operationId: operation.operationId,
          method: method.toUpperCase(),
          path,
          tag: operation.tags[0],
        },
        ...{ summary: operation.summary, description: operation.description },
        parameters: (operation.parameters ?? []).map(
          (one: Schema) => shared[one.$ref?.split('/').at(-1)] ?? one,
        ),
        body: content,
        responses: operation.responses,
        isSent: false,
      };
    }),
  );
}
