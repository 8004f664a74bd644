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
  let index;
  let at = -1;
  const load = () => {
    index ??= fetch('/docs/search.json').then((answer) => answer.json());
    return index;
  };
  find.addEventListener('focus', load);

  /** Every word must be there; a title counts more than what is below it. */
  const matching = (places, words) =>
    places
      .map((entry) => {
        const title = entry.title.toLowerCase();
        const text = `${title} ${entry.within} ${entry.text}`.toLowerCase();
        const score = words.reduce(
          (sum, word) => sum + (title.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : -100),
          0,
        );
        return { entry, score };
      })
      .filter(({ score }) => score > 0)
      .sort((left, right) => right.score - left.score)
      .slice(0, 12);

  const excerpt = (text, word) => {
    const from = Math.max(0, text.toLowerCase().indexOf(word) - 40);
    return (from > 0 ? '… ' : '') + text.slice(from, from + 120);
  };

  const list = async () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const results = words.length ? matching(await load(), words) : [];
    found.replaceChildren(
      ...results.map(({ entry }, i) => {
        const row = document.createElement('li');
        row.id = `found-${i}`;
        row.setAttribute('role', 'option');
        row.dataset.url = entry.url;
        const title = document.createElement('strong');
        title.textContent = entry.title;
        const within = document.createElement('span');
        within.textContent = entry.within;
        const text = document.createElement('small');
        text.textContent = excerpt(entry.text, words[0]);
        row.append(title, within, text);
        row.addEventListener('click', () => go(row));
        return row;
      }),
    );
    if (words.length && !results.length) {
      const none = document.createElement('li');
      none.setAttribute('role', 'option');
      none.setAttribute('aria-disabled', 'true');
      none.textContent = 'Nothing found.';
      found.append(none);
    }
    mark(-1);
    found.hidden = !words.length;
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
  document.addEventListener('click', ({ target }) => {
    if (!target.closest('search')) found.hidden = true;
  });
})();
