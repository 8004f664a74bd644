import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { inWords, PERSON_WORDS, type PersonFile } from '../api';
import { Facts } from '../pieces';
import { useLanguage, useTexts } from '../texts';

/** The rows of a table that are shown; the files have all. */
const MOST = 50;

/** Everything that is known of a person, by what it is. */
export function Known({ file: { tables } }: { file: PersonFile }) {
  const { persons } = useTexts();
  const worded = useWorded();
  if (tables.length === 0) return <p role="status">{persons.nothing}</p>;
  return tables.map(({ table, rows }) => (
    <Stack component="section" key={table} className="known" gap={8} aria-label={worded(table)}>
      <h3>
        {worded(table)} <span className="dim">{rows.length}</span>
      </h3>
      {rows.slice(0, MOST).map((row, at) => (
        <Facts key={at} facts={factsOf(row, worded)} />
      ))}
      {rows.length > MOST && <p className="dim">{persons.moreRows(rows.length - MOST)}</p>}
    </Stack>
  ));
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

type Worded = (name: string) => string;

/** Names of tables, columns and properties in words, as in the document. */
export function useWorded(): Worded {
  const words = PERSON_WORDS[useLanguage().language];
  return (name) => inWords(name, words);
}

const factsOf = (row: object, worded: Worded): [string, ReactNode][] =>
  Object.entries(row).flatMap(([name, value]) =>
    isEmpty(value) ? [] : [[worded(name), shown(value, worded)]],
  );

/** An answer to a question is shown with the question. */
const isAnswer = (value: unknown): value is { label: string; value: unknown } =>
  typeof value === 'object' && value !== null && 'value' in value && 'label' in value;

function shown(value: unknown, worded: Worded): ReactNode {
  if (typeof value !== 'object' || value === null) return String(value);
  if (!Array.isArray(value)) return <Facts facts={factsOf(value, worded)} />;
  if (value.some(isAnswer))
    return (
      <Facts
        facts={value.flatMap((each) =>
          isAnswer(each) && !isEmpty(each.value) ? [[each.label, shown(each.value, worded)] as const] : [],
        )}
      />
    );
  return value.map((each, at) => <div key={at}>{shown(each, worded)}</div>);
}
