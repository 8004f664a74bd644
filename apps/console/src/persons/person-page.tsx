import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { PersonFile } from '../api';
import { useEntryColumns } from '../applications/entry-columns';
import { Card, EMAIL_INPUT, Explained, Icon, List, Page, Problem, saveFile, useFilters } from '../pieces';
import { useList, useSession } from '../session';
import { useLanguage, useTexts } from '../texts';
import { ErasePerson } from './erase-person';
import { Known } from './known';
import { done } from './work';

/** A person in all events, by email: the entries, everything that is known, and the erasure. */
export function PersonPage() {
  const { persons, participants } = useTexts();
  const { filters, cursor, set } = useFilters(['email'] as const);
  const { email } = filters;
  const [typed, setTyped] = useState(email ?? '');
  const find = (event: FormEvent) => {
    event.preventDefault();
    set({ email: typed.trim() });
  };
  return (
    <Page title={persons.title} up={{ to: '/participants', text: participants.title }}>
      <search>
        <Group component="form" gap={8} onSubmit={find}>
          <TextInput
            flex="0 1 420px"
            {...EMAIL_INPUT}
            required
            maxLength={254}
            aria-label={participants.email}
            placeholder={participants.email}
            leftSection={<Icon name="search" />}
            value={typed}
            autoFocus
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button type="submit">{persons.find}</Button>
        </Group>
      </search>
      {email ? (
        <Found key={email} email={email} cursor={cursor} go={(to) => set({ email, ...to })} />
      ) : (
        <p className="dim">{persons.advice}</p>
      )}
    </Page>
  );
}

interface FoundProps {
  email: string;
  cursor: object;
  go(cursor: { after?: string; before?: string }): void;
}

function Found({ email, cursor, go }: FoundProps) {
  const { persons } = useTexts();
  const { language } = useLanguage();
  const { api } = useSession();
  const [erasing, setErasing] = useState(false);
  const [searched, setSearched] = useState(0);
  const { name, email: address, booked, state, created } = useEntryColumns();
  const query = { email, ...cursor, 'page[size]': 20 };
  const entries = useList(['applications', query], '/console/v1/applications', { query });
  const file = useMutation({
    mutationFn: async (format: 'json' | 'html' | 'show') => {
      const found = await api.post('/console/v1/persons/export', { body: { email } });
      const { jobId } = await done(api, found, { failed: persons.failed, progress: setSearched });
      const answer: unknown = await api.get('/console/v1/person-jobs/{id}/file', {
        params: { path: { id: jobId }, query: { format: format === 'html' ? 'html' : 'json', language } },
        parseAs: 'blob',
      } as never);
      const content = answer as Blob;
      const text = await content.text();
      if (format === 'html' && !text.endsWith('</html>\n')) throw new Explained(persons.cut);
      const known = format === 'html' ? undefined : parsed(text);
      if (format !== 'html' && !known) throw new Explained(persons.cut);
      if (format === 'show') return known;
      saveFile(`person.${format}`, content.type, content);
    },
  });
  return (
    <>
      <Card title={persons.entries}>
        <List
          of={entries}
          caption={persons.entries}
          columns={[name, address, booked, state, created]}
          expected={2}
          go={go}
          empty={<p className="dim">{persons.noEntries}</p>}
        />
      </Card>
      <Card title={persons.known}>
        <p>{persons.knownAdvice}</p>
        {file.error && <Problem error={file.error} />}
        {file.isPending && <p role="status">{persons.looking(searched)}</p>}
        <Group gap={8}>
          <Button loading={file.isPending} onClick={() => file.mutate('show')}>
            {persons.show}
          </Button>
          <Button variant="default" disabled={file.isPending} onClick={() => file.mutate('html')}>
            {persons.html}
          </Button>
          <Button variant="default" disabled={file.isPending} onClick={() => file.mutate('json')}>
            {persons.json}
          </Button>
        </Group>
        {file.data && <Known file={file.data} />}
      </Card>
      <Card title={persons.erase}>
        <p>{persons.eraseAdvice}</p>
        <Group gap={8}>
          <Button color="danger" onClick={() => setErasing(true)}>
            {persons.eraseAsk}
          </Button>
        </Group>
      </Card>
      {erasing && (
        <ErasePerson
          email={email}
          onErased={() => {
            file.reset();
            void entries.refetch();
          }}
          onClose={() => setErasing(false)}
        />
      )}
    </>
  );
}

/** A file that was cut off is no JSON. */
function parsed(text: string): PersonFile | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
