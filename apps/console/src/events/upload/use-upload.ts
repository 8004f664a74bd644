import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CatalogueWritten, StartlineError } from '../../api';
import { useSession } from '../../session';
import { useTexts } from '../../texts';
import { type Row, writeCatalogue } from '../write-catalogue';
import { nameOf, type Part, partsOf } from './parts';

export type Written = CatalogueWritten['records'][number];

/**
 * Tries all records of a file, then writes them in parts, with the versions that were seen. What is written stays when a part fails; the
 * rest is tried again before it is written.
 */
export function useUpload(records: Row[], columns: string[] | undefined) {
  const { uploadEvents: words } = useTexts();
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  /** The outcomes of the records that are written, which are the first ones. */
  const [written, setWritten] = useState<Written[]>([]);

  async function send(part: Part, tried?: Written[]): Promise<Written[]> {
    const places = tried ? range(part) : part.places;
    const sent = places.map((place) => records[place] as Row);
    try {
      const answer = await writeCatalogue(api, {
        records: sent,
        columns,
        ...(tried ? { versions: versionsOf(tried) } : { dryRun: true }),
      });
      return answer.records.filter((_, index) => (places[index] as number) >= part.from);
    } catch (error) {
      throw said(error, sent, tried ?? []);
    }
  }

  /** Problems with the names of the records, not with their places in the request. */
  function said(error: unknown, sent: Row[], tried: Written[]): unknown {
    if (!(error instanceof StartlineError) || error.problems.length === 0) return error;
    const problems = error.problems.map((problem) => {
      const changed = tried.find(({ id }) => problem.path === `versions.${id}`);
      const place = /^records\[(\d+)\]/.exec(problem.path)?.[1];
      const name = changed?.name ?? nameOf(sent[Number(place)] ?? {});
      const text = changed ? words.changedMeanwhile : problem.message.replace(/^records\[\d+\]\.?/, '');
      return { ...problem, row: null as never, message: name ? `${name}: ${text}` : text };
    });
    const { status, code, message, requestId, retryAfter } = error;
    return new StartlineError(status, code, message, requestId, retryAfter, problems);
  }

  const dryRun = useMutation({
    mutationFn: async () => {
      const tried: Written[] = [];
      for (const part of partsOf(records, written.length)) tried.push(...(await send(part)));
      return tried;
    },
  });
  const load = useMutation({
    mutationFn: async () => {
      const tried = dryRun.data ?? [];
      let done = written;
      for (const part of partsOf(records, written.length)) {
        const from = part.from - written.length;
        done = [...done, ...(await send(part, tried.slice(from, from + part.to - part.from + 1)))];
        setWritten(done);
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [organizationId] }),
  });
  return {
    written,
    dryRun,
    load,
    /** Tries what is not written. */
    again: () => {
      load.reset();
      dryRun.mutate();
    },
  };
}

const range = ({ from, to }: Part) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const versionsOf = (tried: Written[]) =>
  Object.fromEntries(tried.flatMap(({ id, version }) => (id && version ? [[id, version]] : [])));
