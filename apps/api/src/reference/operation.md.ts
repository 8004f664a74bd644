import { type Described, json } from './operation';
import { samplesOf } from './samples';
import type { Property, Shape } from './schema';

/** Operations for assistants and other programs that read Markdown. A schema is described where it is first used. */
export function operationsMarkdown(operations: Described[], url?: string): string {
  const known = new Set<string>();
  return operations.map((each) => operationMarkdown(each, known, url)).join('\n\n');
}

function operationMarkdown(
  { operation, parameters, body, answer, errors }: Described,
  known: Set<string>,
  url?: string,
): string {
  const { operationId, method, path, summary, description, isSent } = operation;
  const [{ code: sample } = { code: '' }] = samplesOf(operation, url);
  return [
    `## ${summary}`,
    isSent ? `Startline sends \`${path}\`.` : `\`${method} ${path}\`, name: \`${operationId}\``,
    description,
    ...parameters.flatMap(([heading, list]) => [`### ${heading}`, propertiesMarkdown(list, known)]),
    ...(operation.body ? ['### Body', shapesMarkdown(body, known)] : []),
    isSent ? fenced('json', json(operation.body?.example)) : fenced('sh', sample),
    ...(answer ? ['### Answer', answerMarkdown(answer, known)] : []),
    errors.length > 0 && `Errors: ${errors.map(({ status }) => `\`${status}\``).join(', ')}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

/** The properties; an example only if there are none, because it would repeat them. */
const answerMarkdown = (
  { shapes, example = '', types }: NonNullable<Described['answer']>,
  known: Set<string>,
) => shapesMarkdown(shapes, known) || fenced(types[0] === 'text/csv' ? 'csv' : '', example.trim());

const shapesMarkdown = (shapes: Shape[], known: Set<string>): string =>
  shapes
    .map(({ name, title, properties }) => {
      const isKnown = name && known.has(name);
      if (name) known.add(name);
      const list = isKnown ? '- as above' : propertiesMarkdown(properties, known);
      return title ? `${title}:\n\n${list}` : list;
    })
    .join('\n\n');

const propertiesMarkdown = (properties: Property[], known: Set<string>): string =>
  properties
    .map(({ name, kind, labels, text, nested }) => {
      const [{ name: of, title } = {}] = nested;
      const kinds = [kind, ...(of && !title ? [`\`${of}\``] : []), ...labels].join(', ');
      return [`- \`${name}\` (${kinds})${text && `: ${text}`}`, shapesMarkdown(nested, known)]
        .filter(Boolean)
        .join('\n')
        .replaceAll('\n', '\n  ');
    })
    .join('\n');
