import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  asking,
  type FileMapping,
  type ImportKind,
  type Lookups,
  lookUp,
  namesIn,
  planOf,
  type Sheet,
  withAnswers,
} from '../api';
import { useAllQuestions } from '../participants/edit/use-questions';
import { useSession } from '../session';
import { today } from './today';

const STALE_MS = 60_000;
const NOTHING: never[] = [];

/** An import with the questions of the organization's booking forms. */
export function useKind(kind: ImportKind): ImportKind {
  const questions = useAllQuestions();
  return useMemo(() => withAnswers(kind, questions), [kind, questions]);
}

/** The records that texts of a file can name. */
export function useLookups(sheet: Sheet, kind: ImportKind, mapping: FileMapping): Lookups {
  const names = namesIn(kind, mapping);
  const ofAll = useRecords(names, NOTHING);
  const { occurrence, columns, values } = mapping;
  const chosen = occurrence || values?.eventOccurrenceId;
  const inRows = Object.values(columns).some((path) => /^eventOccurrenceIds?$/.test(path ?? ''));
  const occurrences = useMemo(() => {
    const found = inRows ? planOf(sheet, kind, mapping, { lookups: ofAll, today: today() }).occurrences : [];
    return [...new Set([...(chosen ? [chosen] : []), ...found])];
  }, [inRows, sheet, kind, mapping, ofAll, chosen]);
  const ofSome = useRecords(
    names.filter((name) => !ofAll[name]),
    occurrences,
  );
  return useMemo(() => ({ ...ofAll, ...ofSome }), [ofAll, ofSome]);
}

const NONE: Lookups = {};

/** The records that texts can name, by property: of the organization, and of occurrences. */
export function useRecords(names: string[], occurrences: string[]): Lookups {
  const { api, organizationId } = useSession();
  const { data = NONE } = useQuery({
    queryKey: [organizationId, 'records', names, occurrences],
    queryFn: () => lookUp(asking(api), { names, occurrences, isStaff: true }),
    enabled: names.length > 0,
    staleTime: STALE_MS,
  });
  return data;
}
