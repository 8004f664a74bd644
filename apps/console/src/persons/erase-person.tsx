import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PersonErasure } from '../api';
import { Confirm, Dialog, Facts, Problem } from '../pieces';
import { useChange, useSession } from '../session';
import { useTexts } from '../texts';
import { useWorded } from './known';
import { done } from './work';

interface ErasePersonProps {
  email: string;
  onErased(): void;
  onClose(): void;
}

/** Shows what would be erased, and erases it after a confirmation. */
export function ErasePerson({ email, onErased, onClose }: ErasePersonProps) {
  const { persons, done: close } = useTexts();
  const { api, organizationId } = useSession();
  const [sure, setSure] = useState(false);
  const [searched, setSearched] = useState(0);
  const erased = async (dryRun: boolean, signal?: AbortSignal) => {
    const work = await api.post('/console/v1/persons/erase', { body: { email, dryRun }, signal });
    return (await done(api, work, { failed: persons.failed, progress: setSearched, signal })).erasure;
  };
  const preview = useQuery({
    queryKey: [organizationId, 'erasure', email],
    queryFn: ({ signal }) => erased(true, signal),
    // Each try starts a search of everything.
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const erase = useChange(() => erased(false), ['participants'], onErased);
  if (erase.data)
    return (
      <Dialog title={persons.erased} wide done={close} onClose={onClose}>
        <Rows of={erase.data} />
      </Dialog>
    );
  const { data, error } = preview;
  return (
    <Confirm
      title={persons.eraseTitle(email)}
      action={persons.erase}
      danger
      wide
      change={erase}
      disabled={!sure || !data || data.removed.length === 0}
      onClose={onClose}
    >
      {error && <Problem error={error} retry={() => void preview.refetch()} />}
      {!data && !error && <p role="status">{persons.looking(searched)}</p>}
      {data && <Rows of={data} />}
      <p>{persons.eraseStays}</p>
      <Checkbox
        label={persons.sure}
        checked={sure}
        disabled={!data || data.removed.length === 0}
        onChange={({ target }) => setSure(target.checked)}
      />
    </Confirm>
  );
}

function Rows({ of: { removed, importRowsAhead, kept } }: { of: PersonErasure }) {
  const { persons, number } = useTexts();
  const worded = useWorded();
  return (
    <>
      {removed.length === 0 && <p role="status">{persons.nothing}</p>}
      <Facts facts={removed.map(({ table, rows }) => [worded(table), number(rows)] as const)} />
      {importRowsAhead > 0 && <p className="notice">{persons.ahead(importRowsAhead)}</p>}
      {kept.length > 0 && (
        <>
          <p className="notice">{persons.kept}</p>
          <ul>
            {kept.map(({ table, id }) => (
              <li key={id}>
                {worded(table)} <span className="mono">{id}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
