import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { CatalogueRecordState, CatalogueWritten } from '../api';
import { Page, Problem } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { changesOf, type Draft, draftOf } from './edit/draft';
import { Editor } from './edit/editor';
import { partOfOccurrence } from './write-catalogue';

/** Changes an event: whoever opens the form sees what is stored, and what they typed and did not save. */
export function EditEventPage({ id }: { id: string }) {
  const { eventForm } = useTexts();
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [discarded, setDiscarded] = useState(0);
  const queryKey = [organizationId, 'part', id];
  const part = useQuery({
    queryKey,
    queryFn: () => partOfOccurrence(api, id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const title = part.data?.find((state) => state.id === id)?.record.title as string | undefined;
  const again = () =>
    queries.fetchQuery({ queryKey, queryFn: () => partOfOccurrence(api, id), staleTime: 0 });
  return (
    <Page
      title={title ? eventForm.titleOf(title) : eventForm.title}
      up={{ to: `/events/${id}`, text: title ?? eventForm.title }}
    >
      {part.error && <Problem error={part.error} retry={() => void part.refetch()} />}
      {part.data && (
        <Editor
          key={discarded}
          name={id}
          start={draftOf(part.data)}
          onSaved={async (written, draft) => withUnused(draftOf(await again()), written, draft)}
          onDiscard={() => {
            void again().then(() => setDiscarded(discarded + 1));
            navigate(`/events/${id}/edit`, { replace: true });
          }}
        />
      )}
    </Page>
  );
}

/** Forms and questions that no ticket uses yet are not part of the occurrence, but stay on the page that wrote them. */
function withUnused(read: Draft, { records }: CatalogueWritten, draft: Draft): Draft {
  const sent = changesOf(draft).records;
  const known = new Set(read.base.map(({ id }) => id));
  const written = records.flatMap(({ id, version, record }, place): CatalogueRecordState[] =>
    id && version && record.startsWith('bookingForm') && !known.has(id)
      ? [{ id, version, record: { ...sent[place], id } }]
      : [],
  );
  const before = draft.base.filter(
    ({ id, record }) =>
      String(record.record).startsWith('bookingForm') &&
      !known.has(id) &&
      !written.some((each) => each.id === id),
  );
  return draftOf([...before, ...written, ...read.base]);
}
