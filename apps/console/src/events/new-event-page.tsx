import { Button, Checkbox, Group, Select, TextInput, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { CatalogueRecordState } from '../api';
import { Card, HERE, Page, Problem } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { useOccurrences } from '../upload/use-occurrences';
import { codesOf, copyCodes } from './edit/copy-codes';
import type { Draft } from './edit/draft';
import { emptyEdition, nextEdition } from './edit/earlier-edition';
import { Editor } from './edit/editor';
import { daysBetween } from './edit/local-time';
import { storedDraft } from './edit/stored-draft';
import { timeZonesWith } from './edit/time-zones';
import { partOfOccurrence } from './write-catalogue';

const NEW = 'new';

/** A new event, from an earlier edition or from nothing. */
export function NewEventPage() {
  const { newEvent: words, events } = useTexts();
  const { api, me } = useSession();
  const [, navigate] = useLocation();
  const [start, setStart] = useState<Draft | undefined>(() => storedDraft(me.id, NEW));
  // The event exists by then: what fails here fails for its codes only.
  const copying = useMutation({
    mutationFn: ({ id, draft }: { id: string; draft: Draft }) => copyCodes(api, draft, id),
    onSuccess: ({ job, left, fewer }, { id }) => {
      const isWhole = !job || job.succeededRows === job.totalRows;
      if (left.length + fewer.length === 0) navigate(isWhole ? `/events/${id}` : `/imports/${job.jobId}`);
    },
  });
  if (copying.variables) {
    const { id } = copying.variables;
    const { job, left = [], fewer = [] } = copying.data ?? {};
    return (
      <Page title={words.title} up={{ to: `/events/${id}`, text: words.created }}>
        {copying.error ? (
          <Problem
            error={copying.error}
            title={words.codesNotCopied}
            retry={() => copying.mutate(copying.variables)}
          />
        ) : left.length + fewer.length > 0 ? (
          <Card title={words.codesLeft}>
            {left.length > 0 && <p>{words.codesNotMade(left.join(', '))}</p>}
            {fewer.length > 0 && <p>{words.codesForFewer(fewer.join(', '))}</p>}
            <Group gap={8}>
              <Button component={Link} to={`/events/${id}`}>
                {words.showEvent}
              </Button>
              {job && (
                <Button variant="default" component={Link} to={`/imports/${job.jobId}`}>
                  {words.showCodes}
                </Button>
              )}
            </Group>
          </Card>
        ) : (
          <p role="status">{words.copyingCodes}</p>
        )}
      </Page>
    );
  }
  return (
    <Page title={words.title} up={{ to: '/events', text: events.title }}>
      {start ? (
        <Editor
          name={NEW}
          start={start}
          onSaved={async ({ records }, draft) => {
            const id = records.find(({ record }) => record === 'occurrence')?.id ?? '';
            if (draft.codes) copying.mutate({ id, draft });
            else navigate(`/events/${id}`);
            return undefined;
          }}
          onDiscard={() => setStart(undefined)}
        />
      ) : (
        <>
          <FromEarlier onStart={setStart} />
          <FromNothing onStart={setStart} />
          <Card title={words.fromFile}>
            <p className="dim">{words.fromFileHelp}</p>
            <Button variant="default" renderRoot={(props) => <Link {...props} to="/events/upload" />}>
              {words.chooseFile}
            </Button>
          </Card>
        </>
      )}
    </Page>
  );
}

interface Starts {
  onStart(draft: Draft): void;
}

function FromEarlier({ onStart }: Starts) {
  const { newEvent: words } = useTexts();
  const { api, organizationId } = useSession();
  const occurrences = useOccurrences();
  const [from, setFrom] = useState<string | null>(null);
  const [startDate, setStartDate] = useState('');
  const [withGroups, setWithGroups] = useState(true);
  const [withCodes, setWithCodes] = useState(false);
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const ending = `-${startDate.slice(2, 4)}`;
  const codes = useQuery({
    queryKey: [organizationId, 'occurrence', from, 'own-codes'],
    queryFn: () => codesOf(api, from ?? ''),
    enabled: from !== null,
  });
  const take = useMutation({
    mutationFn: () => partOfOccurrence(api, from ?? ''),
    onSuccess: (parts) =>
      onStart({
        ...nextEdition(parts, { startDate, withGroups }),
        ...(withCodes && ids.length > 0 && { codes: { ids, ending, days: daysOf(parts) } }),
      }),
  });
  if (occurrences.length === 0) return null;
  const list = codes.data?.codes ?? [];
  const ids = list.map(({ id }) => id).filter((id) => !without.has(id));
  const daysOf = (parts: CatalogueRecordState[]) => {
    const earlier = parts.find(({ id }) => id === from)?.record.startDate;
    return earlier ? daysBetween(String(earlier), startDate) : 0;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    take.mutate();
  };
  const count = list.length;
  const choose = (id: string, on: boolean) => {
    const next = new Set(without);
    if (on) next.delete(id);
    else next.add(id);
    setWithout(next);
  };
  return (
    <Card title={words.fromEarlier}>
      <p className="dim">{words.fromEarlierHelp}</p>
      <form className="fields" onSubmit={submit}>
        {take.error && <Problem error={take.error} />}
        <Select
          label={words.edition}
          required
          searchable
          limit={100}
          data={occurrences.map(({ value, label }) => ({ value, label }))}
          value={from}
          onChange={setFrom}
        />
        <TextInput
          type="date"
          label={words.newDate}
          required
          value={startDate}
          onChange={({ target }) => setStartDate(target.value)}
        />
        <Checkbox
          label={words.withGroups}
          checked={withGroups}
          onChange={({ target }) => setWithGroups(target.checked)}
        />
        <Checkbox
          label={words.withCodes(count)}
          description={words.withCodesHelp(ending)}
          disabled={count === 0}
          checked={withCodes && count > 0}
          onChange={({ target }) => setWithCodes(target.checked)}
        />
        {withCodes && count > 0 && (
          <fieldset>
            <VisuallyHidden component="legend">{words.codes}</VisuallyHidden>
            {list.map(({ id, code }) => (
              <Checkbox
                key={id}
                label={<span className="mono">{code}</span>}
                checked={!without.has(id)}
                onChange={({ target }) => choose(id, target.checked)}
              />
            ))}
            {codes.data?.hasMore && <p className="dim">{words.moreCodes}</p>}
          </fieldset>
        )}
        <Button type="submit" disabled={!from || !startDate} loading={take.isPending}>
          {words.takeOver}
        </Button>
      </form>
    </Card>
  );
}

function FromNothing({ onStart }: Starts) {
  const { newEvent: words, eventForm } = useTexts();
  const [title, setTitle] = useState('');
  const [startDate, setStartDate] = useState('');
  const [timeZone, setTimeZone] = useState<string | null>(HERE);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onStart(emptyEdition({ title: title.trim(), startDate, timeZone: timeZone ?? 'UTC' }));
  };
  return (
    <Card title={words.fromNothing}>
      <form className="fields" onSubmit={submit}>
        <TextInput
          label={eventForm.fields.title}
          placeholder={words.example}
          required
          maxLength={500}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <TextInput
          type="date"
          label={eventForm.fields.startDate}
          required
          value={startDate}
          onChange={({ target }) => setStartDate(target.value)}
        />
        <Select
          label={eventForm.fields.timeZone}
          required
          searchable
          limit={60}
          data={timeZonesWith(timeZone)}
          value={timeZone}
          onChange={setTimeZone}
        />
        <Button type="submit" disabled={!title.trim() || !startDate}>
          {words.begin}
        </Button>
      </form>
    </Card>
  );
}
