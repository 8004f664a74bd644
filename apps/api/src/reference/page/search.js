/* The search of the reference: the page loads it when the reader begins to search. */
import MiniSearch from 'minisearch';

const MOST_FOUND = 12;
const BEFORE = 50;
const EXCERPT = 160;

const plain = (text) => text.toLowerCase().normalize('NFC');

/** A name is found as a whole and by its words: `bibNumber` by `bib` and `number` too. */
const wordsOf = (term) => {
  const words = term.split(/(?<=[\p{Ll}\d])(?=\p{Lu})/u);
  return [...new Set([term, ...words].map(plain))];
};

/** Guides before operations, single properties and the changelog, where the words say as much of each. */
const WEIGHTS = { guide: 1.6, operation: 1, property: 0.5, changelog: 0.2 };

const index = fetch('/docs/search.json')
  .then((answer) => answer.json())
  .then((places) => {
    const made = new MiniSearch({
      fields: ['title', 'name', 'within', 'text'],
      storeFields: ['title', 'name', 'within', 'url', 'text', 'kind'],
      idField: 'id',
      tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u),
      processTerm: wordsOf,
      searchOptions: {
        processTerm: plain,
        boost: { title: 5, name: 5, within: 1.5 },
        boostDocument: (_id, _term, { kind }) => WEIGHTS[kind],
        prefix: true,
        fuzzy: (term) => (term.length > 4 ? 0.2 : 0),
        combineWith: 'AND',
      },
    });
    made.addAll(places.map((place, id) => ({ id, ...place })));
    return made;
  });

/** The best matches: of every word, or if there is none, of any. What is called like the query comes first. */
export async function search(query) {
  const made = await index;
  const found = made.search(query);
  const isCalledSo = ({ title, name = title }) => [title, name].some((each) => plain(each) === plain(query));
  return (found.length > 0 ? found : made.search(query, { combineWith: 'OR' }))
    .sort((left, right) => Number(isCalledSo(right)) - Number(isCalledSo(left)))
    .slice(0, MOST_FOUND);
}

/** The part of a text around its first match, in pieces: every other one is a match. */
export function excerpt({ text, terms }) {
  // Terms are letters and digits only.
  const pattern = terms.join('|');
  const first = text.search(new RegExp(pattern, 'iu'));
  const from = Math.max(0, first - BEFORE);
  const start = from > 0 ? text.indexOf(' ', from) + 1 : 0;
  const end = start + EXCERPT;
  const part = `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
  return pattern ? part.split(new RegExp(`(${pattern})`, 'iu')) : [part];
}
