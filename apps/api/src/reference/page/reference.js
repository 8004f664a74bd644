/* Samples in the reader's language, copying, search, and the contents on small screens. Pages read well without it. */
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  for (const code of all('code')) {
    code.textContent = code.textContent.replaceAll('http://127.0.0.1:3000', location.origin);
  }

  const show = (language) => {
    for (const button of all('.language'))
      button.setAttribute('aria-pressed', String(button.dataset.language === language));
    for (const code of all('pre[data-language]')) code.hidden = code.dataset.language !== language;
  };
  for (const button of all('.language')) {
    button.addEventListener('click', () => {
      const at = button.getBoundingClientRect().top;
      show(button.dataset.language);
      // Samples above have other heights now.
      window.scrollBy(0, button.getBoundingClientRect().top - at);
      localStorage.setItem('language', button.dataset.language);
    });
  }
  const chosen = localStorage.getItem('language');
  if (chosen) show(chosen);

  for (const button of all('.copy')) {
    button.addEventListener('click', async () => {
      const code = all('pre', button.closest('figure')).find((each) => !each.hidden);
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2_000);
    });
  }

  const menu = document.getElementById('menu');
  const open = (isOpen) => {
    document.body.classList.toggle('open', isOpen);
    menu.setAttribute('aria-expanded', String(isOpen));
  };
  menu.addEventListener('click', () => open(!document.body.classList.contains('open')));
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && open(false));

  // Links of the former reference: #/Participants/listParticipants.
  const [, operation] = /^#\/\w+\/([\w.]+)$/.exec(location.hash) ?? [];
  const place = operation ?? (location.pathname === '/docs' && location.hash.slice(1));
  if (place && !document.getElementById(place)) {
    fetch('/docs/search.json')
      .then((answer) => answer.json())
      .then((places) => places.find(({ url }) => url.endsWith(`#${place}`)))
      .then((found) => found && location.replace(found.url));
  }

  const find = document.getElementById('find');
  const found = document.getElementById('found');
  let at = -1;
  const load = () => import('/docs/search.js');
  find.addEventListener('focus', load);

  const element = (name, ...content) => {
    const made = document.createElement(name);
    made.append(...content);
    return made;
  };
  const option = (...content) => {
    const row = element('li', ...content);
    row.setAttribute('role', 'option');
    return row;
  };

  const list = async () => {
    const query = find.value.trim();
    const { search, excerpt } = await load();
    const results = query ? await search(query) : [];
    // The reader has typed on.
    if (query !== find.value.trim()) return;
    found.replaceChildren(
      ...results.map((result, i) => {
        const text = excerpt(result).map((part, j) => (j % 2 ? element('mark', part) : part));
        const row = option(
          element('strong', result.title),
          element('span', result.within),
          element('small', ...text),
        );
        row.id = `found-${i}`;
        row.dataset.url = result.url;
        row.addEventListener('click', () => go(row));
        return row;
      }),
    );
    if (query && !results.length) {
      const none = option('Nothing found.');
      none.setAttribute('aria-disabled', 'true');
      found.append(none);
    }
    mark(-1);
    found.hidden = !query;
    find.setAttribute('aria-expanded', String(!found.hidden));
  };
  const go = (row) => {
    if (!row?.dataset.url) return;
    found.hidden = true;
    find.setAttribute('aria-expanded', 'false');
    location.assign(row.dataset.url);
  };
  const mark = (next) => {
    at = next;
    const rows = [...found.children];
    rows.forEach((row, i) => {
      row.setAttribute('aria-selected', String(i === at));
    });
    if (rows[at]) {
      find.setAttribute('aria-activedescendant', rows[at].id);
      rows[at].scrollIntoView({ block: 'nearest' });
    } else find.removeAttribute('aria-activedescendant');
  };
  find.addEventListener('input', list);
  find.addEventListener('keydown', (event) => {
    const { length } = found.children;
    if (event.key === 'ArrowDown' && length) mark((at + 1) % length);
    else if (event.key === 'ArrowUp' && length) mark((at - 1 + length) % length);
    else if (event.key === 'Enter') go(found.children[Math.max(at, 0)]);
    else if (event.key === 'Escape') found.hidden = true;
    else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const isTyped = event.target.matches('input') || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== '/' || isTyped) return;
    event.preventDefault();
    find.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (!target.closest('search')) found.hidden = true;
  });
})();
