import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../texts';
import type { Row } from '../write-catalogue';
import type { Draft } from './draft';
import { DAYS, INSTANTS } from './earlier-edition';
import { labelOf, useEditing } from './editing';
import { dayAfter, daysBetween, later, localOf } from './local-time';
import { at, below, isObject, put } from './paths';

interface Left {
  path: string;
  was: string;
  next: string;
}

/** A date that moves asks whether those of races, waves, sales and deadlines move with it, and says which they would be. */
export function MovedDates({ draft, start }: { draft: Draft; start: Draft }) {
  const { eventForm: words, locale } = useTexts();
  const { set, zone } = useEditing();
  const place = draft.records.findIndex(({ record }) => record === 'occurrence');
  const now = draft.records[place] ?? {};
  // Kept drafts begin with what is stored, too.
  const [from, setFrom] = useState<Row>(
    () => [...draft.base.map(({ record }) => record as Row), ...start.records].find(isOccurrence) ?? now,
  );
  const days = daysBetween(String(from.startDate), String(now.startDate));
  const left = days ? datesLeft(now, from, '', days, zone) : [];
  if (left.length === 0) return null;
  const written = (date: string) =>
    new Date(date.length === 10 ? date : `${localOf(date, zone)}Z`).toLocaleString(locale, {
      timeZone: 'UTC',
      dateStyle: 'medium',
      ...(date.length > 10 && { timeStyle: 'short' }),
    });
  const move = () => {
    for (const { path, next } of left) set(below(`records[${place}]`, path), next);
    setFrom(left.reduce((row, { path, next }) => put(row, path, next), now));
  };
  return (
    <section className="notice" role="status">
      <p>{words.datesLeft(days, left.length)}</p>
      <ul>
        {left.map(({ path, was, next }) => (
          <li key={path}>
            {labelOf(draft.records, below(`records[${place}]`, path), words)}: {written(was)} →{' '}
            {written(next)}
          </li>
        ))}
      </ul>
      <Group gap={8}>
        <Button onClick={move}>{words.moveDates}</Button>
        <Button variant="default" onClick={() => setFrom(now)}>
          {words.keepDates}
        </Button>
      </Group>
    </section>
  );
}

const isOccurrence = ({ record }: Row) => record === 'occurrence';

/** The dates that stayed while the date of the occurrence moved. */
function datesLeft(value: unknown, from: unknown, path: string, days: number, zone: string): Left[] {
  if (Array.isArray(value))
    return value.flatMap((row, index) =>
      datesLeft(row, at(from, `[${index}]`), below(path, index), days, zone),
    );
  if (!isObject(value) || !isObject(from)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const own = below(path, key);
    if (typeof inner !== 'string') return datesLeft(inner, from[key], own, days, zone);
    if (inner !== from[key] || own === 'startDate') return [];
    if (DAYS.includes(key)) return [{ path: own, was: inner, next: dayAfter(inner, days) }];
    return INSTANTS.includes(key) ? [{ path: own, was: inner, next: later(inner, days, zone) }] : [];
  });
}
