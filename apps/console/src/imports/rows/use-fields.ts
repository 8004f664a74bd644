import { useMemo } from 'react';
import {
  exactly,
  type ImportKind,
  type ImportPath,
  kindOf,
  kindOfImport,
  type Lookups,
  nameOfField,
  namesOf,
  type SheetField,
  targetAt,
} from '../../api';
import type { Choice } from '../../pieces';
import { useLanguage, useTexts } from '../../texts';
import { useKind, useRecords } from '../../upload/use-known';
import { useOccurrences } from '../../upload/use-occurrences';
import type { Cells, OpenRow } from './row-cells';
import type { Changes } from './use-changes';

/** Occurrences whose records can be chosen, if the rows name none. */
const NEWEST = 20;
/** The value of the choice of no value. */
const NONE = ' ';

export interface Fields {
  kind: ImportKind;
  lookups: Lookups;
  titleOf(path: string): string;
  /** The title or name that a value stands for; otherwise the value. */
  labelOf(path: string, text: string): string;
  /** What a cell can have, if it is one of some. */
  choicesOf(path: string, cells: Cells): Choice[] | undefined;
  /** The value that a typed or pasted text stands for; otherwise the text. */
  meantBy(path: string, text: string, cells: Cells): string;
}

/** The fields of rows: their names, and what their values stand for. The same as those that files are matched to. */
export function useFields(path: ImportPath, rows: readonly OpenRow[], changes: Changes): Fields {
  const { language } = useLanguage();
  const texts = useTexts();
  const kind = useKind(useMemo(() => kindOfImport(path), [path]));
  const names = useMemo(() => {
    const present = new Set(rows.flatMap(({ cells }) => Object.keys(cells)));
    for (const field of kind.fields) present.add(field.path);
    return [...new Set([...present].flatMap((each) => recordsAt(kind, each) ?? []))].sort();
  }, [kind, rows]);
  const all = useOccurrences();
  const occurrences = useMemo(() => {
    const named = new Set<string>();
    const add = ({ eventOccurrenceId, eventOccurrenceIds }: Cells) => {
      for (const id of [eventOccurrenceId, ...(eventOccurrenceIds ?? '').split('; ')]) if (id) named.add(id);
    };
    for (const { cells } of rows) add(cells);
    for (const cells of Object.values(changes)) add(cells);
    return named.size > 0 ? [...named].sort() : all.slice(0, NEWEST).map(({ value }) => value);
  }, [rows, changes, all]);
  const lookups = useRecords(names, occurrences);
  return useMemo(() => {
    const labels = new Map<string, Map<string, string>>();
    const candidatesOf = (field: SheetField | undefined) =>
      field && (field.options ?? lookups[namesOf(field) ?? '']);
    const fieldOf = (each: string) => targetAt(kind, each);
    const labelsOf = (each: string): Map<string, string> => {
      const known = labels.get(each);
      if (known) return known;
      const own = new Map(
        candidatesOf(fieldOf(each))?.map(({ id, label, names: [name] }) => [id, label ?? name ?? id]),
      );
      labels.set(each, own);
      return own;
    };
    /** Of another occurrence, a record is not meant. */
    const within = (field: SheetField | undefined, { eventOccurrenceId: of }: Cells) =>
      candidatesOf(field)?.filter((each) => !each.of || !of || each.of === of);
    return {
      kind,
      lookups,
      titleOf: (each) => nameOfField(each, language, fieldOf(each)?.label),
      labelOf: (each, text) => {
        const own = labelsOf(each);
        if (own.size === 0) return text;
        return (
          own.get(text) ??
          text
            .split('; ')
            .map((item) => own.get(item) ?? item)
            .join('; ')
        );
      },
      choicesOf: (each, cells) => {
        const field = fieldOf(each);
        if (!field || kindOf(field) === 'list') return undefined;
        const known = within(field, cells)?.map(
          ({ id, label, names: [name] }) => [id, label ?? name ?? id] as const,
        );
        const choices = known ?? field.values?.map((value) => [value, value] as const);
        if (!choices || choices.length === 0) return undefined;
        return [
          ...(field.required ? [] : [{ value: NONE, label: texts.eventForm.nothing }]),
          ...[...new Map(choices)].map(([value, label]) => ({ value, label })),
        ];
      },
      meantBy: (each, text, cells) => {
        const given = text.trim();
        const candidates = given ? within(fieldOf(each), cells) : undefined;
        return (candidates && exactly(given, candidates)?.id) || given;
      },
    };
  }, [kind, lookups, language, texts]);
}

/** The property whose records a field names. */
function recordsAt(kind: ImportKind, path: string): string | undefined {
  const field = targetAt(kind, path);
  return field && !field.options ? namesOf(field) : undefined;
}
