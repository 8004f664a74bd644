import type { DocumentedOperation, Parameter, Schema } from './document';
import { escaped, inline, render } from './markdown';
import { samplesOf } from './samples';
import type { Schemas } from './schema.html';

/** An operation: description and parameters in one column, samples in the other. */
export function operationHtml(
  operation: DocumentedOperation,
  schemas: Schemas,
  document: Schema,
  url?: string,
): string {
  const { operationId, method, path, summary, description = '', body, isSent } = operation;
  const answers = Object.entries(operation.responses).map(([status, response]) => ({
    status,
    response: response.$ref ? document.components.responses[response.$ref.split('/').at(-1)] : response,
  }));
  const success = answers.find(({ status }) => status === '200');
  const content = Object.entries(
    (success?.response.content ?? {}) as Record<string, { schema: Schema; example?: unknown }>,
  );
  const [[type, shown] = []] = content;
  const example = shown?.example ?? shown?.schema.examples?.[0];
  return `
<section class="operation" id="${escaped(operationId)}" aria-labelledby="${escaped(operationId)}-title">
  <div class="text">
    <h2 id="${escaped(operationId)}-title"><a href="#${escaped(operationId)}">${escaped(summary)}</a></h2>
    <p class="path"><span class="method ${method.toLowerCase()}">${isSent ? 'SENT' : method}</span> <code>${escaped(path)}</code></p>
    ${render(description, { below: 3 }).html}
    ${isSent ? '' : `<p class="name">Name: <code>${escaped(operationId)}</code></p>`}
    ${parametersHtml('Path', operation.parameters, 'path', schemas)}
    ${parametersHtml('Query parameters', operation.parameters, 'query', schemas)}
    ${parametersHtml('Headers', operation.parameters, 'header', schemas)}
    ${body ? `<h3>Body</h3>${schemas.properties(body.schema)}` : ''}
    ${content.length && !isSent ? `<h3>Answer</h3>${typesHtml(content.map(([name]) => name))}<details class="answer"><summary>Properties of the answer</summary>${schemas.properties(shown?.schema ?? {})}</details>` : ''}
    ${isSent ? '' : errorsHtml(answers.filter(({ status }) => status !== '200'))}
  </div>
  <div class="samples">
    ${isSent ? block('What is sent', json(body?.example)) : tabs(operation, url)}
    ${example === undefined || isSent ? '' : block(`Answer 200${type === 'application/json' ? '' : ` · ${type}`}`, typeof example === 'string' ? example : json(example))}
  </div>
</section>`;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const typesHtml = (types: string[]): string =>
  types.length > 1 ? `<p>As ${types.map((type) => `<code>${escaped(type)}</code>`).join(' or ')}.</p>` : '';

const block = (title: string, code: string): string =>
  `<figure class="sample"><figcaption>${escaped(title)}<button type="button" class="copy">Copy</button></figcaption><pre tabindex="0"><code>${escaped(code)}</code></pre></figure>`;

function tabs(operation: DocumentedOperation, url?: string): string {
  const samples = samplesOf(operation, url);
  const buttons = samples.map(
    ({ language, title }, i) =>
      `<button type="button" class="language" data-language="${language}" aria-pressed="${i === 0}">${title}</button>`,
  );
  const codes = samples.map(
    ({ language, code }, i) =>
      `<pre tabindex="0" data-language="${language}"${i === 0 ? '' : ' hidden'}><code>${escaped(code)}</code></pre>`,
  );
  return `<figure class="sample"><figcaption><span class="languages">${buttons.join('')}</span><button type="button" class="copy">Copy</button></figcaption>${codes.join('')}</figure>`;
}

function parametersHtml(
  title: string,
  parameters: Parameter[],
  place: Parameter['in'],
  schemas: Schemas,
): string {
  const rows = parameters
    .filter((parameter) => parameter.in === place)
    .map(
      ({ name, description, required, deprecated, schema }) =>
        `<li><p class="property"><code>${escaped(name)}</code> <span class="kind">${schemas.kind(schema)}</span>${
          required && place !== 'path' ? ' <span class="required">required</span>' : ''
        }${deprecated ? ' <span class="deprecated">deprecated</span>' : ''}</p>${
          description ? `<div class="means">${inline(description)}</div>` : ''
        }${schema.default === undefined ? '' : `<p class="means">Default: <code>${escaped(schema.default)}</code></p>`}</li>`,
    );
  return rows.length ? `<h3>${title}</h3><ul class="properties">${rows.join('')}</ul>` : '';
}

function errorsHtml(answers: { status: string; response: Schema }[]): string {
  if (answers.length === 0) return '';
  const rows = answers.map(
    ({ status, response }) =>
      `<li><p class="property"><code>${status}</code> ${inline(response.description ?? '')}</p></li>`,
  );
  return `<details class="errors"><summary>Errors</summary><ul class="properties">${rows.join('')}</ul></details>`;
}
