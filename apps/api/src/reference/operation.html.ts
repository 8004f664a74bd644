import { escaped, inline, render } from './markdown';
import { type Described, json } from './operation';
import { type Sample, samplesOf } from './samples';
import type { Property, Shape } from './schema';

/** An operation: description and parameters in one column, samples in the other. */
export function operationHtml(
  { operation, parameters, body, answer, errors }: Described,
  url?: string,
): string {
  const { operationId, method, path, summary, description = '', isSent } = operation;
  const id = escaped(operationId);
  return `
<section class="operation" id="${id}" aria-labelledby="${id}-title">
  <div class="text">
    <h2 id="${id}-title"><a href="#${id}">${escaped(summary)}</a></h2>
    <p class="path"><span class="method ${method.toLowerCase()}">${isSent ? 'SENT' : method}</span> <code>${escaped(path)}</code></p>
    ${render(description, { below: 3 }).html}
    ${isSent ? '' : `<p class="name">Name: <code>${id}</code></p>`}
    ${parameters.map(([heading, list]) => `<h3>${heading}</h3>${propertiesHtml(list)}`).join('')}
    ${operation.body ? `<h3>Body</h3>${shapesHtml(body)}` : ''}
    ${answer ? `<h3>Answer</h3>${typesHtml(answer.types)}<details class="answer"><summary>Properties of the answer</summary>${shapesHtml(answer.shapes)}</details>` : ''}
    ${errorsHtml(errors)}
  </div>
  <div class="samples">
    ${isSent ? block('What is sent', json(operation.body?.example)) : tabs(samplesOf(operation, url))}
    ${answer?.example === undefined ? '' : block(`Answer 200${answer.types[0] === 'application/json' ? '' : ` · ${answer.types[0]}`}`, answer.example)}
  </div>
</section>`;
}

const typesHtml = (types: string[]): string =>
  types.length > 1 ? `<p>As ${types.map((type) => `<code>${escaped(type)}</code>`).join(' or ')}.</p>` : '';

const block = (title: string, code: string): string =>
  `<figure class="sample"><figcaption>${escaped(title)}<button type="button" class="copy">Copy</button></figcaption><pre tabindex="0"><code>${escaped(code)}</code></pre></figure>`;

function tabs(samples: Sample[]): string {
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

const shapesHtml = (shapes: Shape[]): string =>
  shapes
    .map(
      ({ title, properties }) =>
        `${title ? `<p class="choice">${inline(title)}</p>` : ''}${propertiesHtml(properties)}`,
    )
    .join('');

/** Those of nested objects are collapsed. */
const propertiesHtml = (properties: Property[]): string =>
  `<ul class="properties">${properties
    .map(({ name, kind, labels, text, nested }) => {
      const known = labels.map((label) => ` <span class="${label}">${label}</span>`).join('');
      const below = nested.length
        ? `<details><summary>Properties of <code>${escaped(name)}</code></summary>${shapesHtml(nested)}</details>`
        : '';
      return `<li><p class="property"><code>${escaped(name)}</code> <span class="kind">${inline(kind)}</span>${known}</p>${
        text ? `<div class="means">${inline(text)}</div>` : ''
      }${below}</li>`;
    })
    .join('')}</ul>`;

function errorsHtml(errors: Described['errors']): string {
  if (errors.length === 0) return '';
  const rows = errors.map(
    ({ status, text }) => `<li><p class="property"><code>${status}</code> ${inline(text)}</p></li>`,
  );
  return `<details class="errors"><summary>Errors</summary><ul class="properties">${rows.join('')}</ul></details>`;
}
