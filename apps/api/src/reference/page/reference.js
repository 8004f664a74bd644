/* Shows /openapi.json with Swagger UI, and beside it a table of contents that the reader can search. */
(async () => {
  const spec = await (await fetch('/openapi.json')).json();
  const contents = document.getElementById('contents');
  const find = document.getElementById('find');

  const ui = window.SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 5,
    defaultModelRendering: 'model',
    displayRequestDuration: true,
    showCommonExtensions: true,
    validatorUrl: null,
    onComplete: listContents,
  });

  function listContents() {
    for (const [, title] of spec.info.description.matchAll(/^# (.+)$/gm))
      contents.append(link(title, '#', () => read(title)));
    for (const { name } of spec.tags) {
      const group = document.createElement('section');
      const title = document.createElement('h2');
      title.textContent = name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
      group.append(title, ...operationsOf(name).map((operation) => operationLink(name, operation)));
      contents.append(group);
    }
  }

  function read(title) {
    const headings = [...document.querySelectorAll('.info .renderedMarkdown h1')];
    headings.find((heading) => heading.textContent === title)?.scrollIntoView({ behavior: 'smooth' });
  }

  function operationsOf(tag) {
    return Object.entries(spec.paths)
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
      )
      .filter((operation) => operation.tags.includes(tag));
  }

  function operationLink(tag, { operationId, summary, method, path }) {
    const row = link(summary, `#/${tag}/${operationId}`, () => show(tag, operationId));
    row.dataset.words = `${operationId} ${summary} ${method} ${path}`.toLowerCase();
    row.title = `${method.toUpperCase()} ${path}`;
    const badge = document.createElement('span');
    badge.className = `method ${method}`;
    badge.textContent = method === 'delete' ? 'del' : method;
    row.prepend(badge);
    return row;
  }

  function link(text, href, follow) {
    const row = document.createElement('a');
    row.href = href;
    row.append(text);
    row.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      // Swagger UI listens to clicks on links too, and would scroll to the top.
      event.stopPropagation();
      follow();
    });
    return row;
  }

  function show(tag, operationId) {
    ui.layoutActions.show(['operations', tag, operationId], true);
    history.replaceState(null, '', `#/${tag}/${operationId}`);
    requestAnimationFrame(() => {
      document.getElementById(`operations-${tag}-${operationId}`)?.scrollIntoView({ behavior: 'smooth' });
    });
  }

  find.addEventListener('input', () => {
    const wanted = find.value.toLowerCase().split(/\s+/);
    for (const row of contents.querySelectorAll('section a')) {
      row.hidden = !wanted.every((word) => row.dataset.words.includes(word));
    }
    for (const group of contents.querySelectorAll('section'))
      group.hidden = !group.querySelector('a:not([hidden])');
  });
})();
