import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../pieces/icons';
import { Empty, Page } from '../pieces/page';
import { Problem } from '../pieces/problem';
import { useTexts } from '../texts';
import { DeskCard } from './desk-card';
import { DeskTabs } from './desk-tabs';
import { PendingChanges } from './pending-changes';
import { ScanCode } from './scan-code';
import { useDeskQueue } from './use-desk-queue';
import { useFound } from './use-found';

/** For a phone or tablet at the desk. The list is empty before a search. */
export function DeskPage() {
  const { desk } = useTexts();
  const { queue, pending } = useDeskQueue();
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<string>();
  const { found, hasMore, error } = useFound(typed);
  const only = found?.length === 1 ? found[0]?.id : undefined;
  return (
    <Page title={desk.title}>
      <DeskTabs />
      <div className="desk">
        <PendingChanges queue={queue} pending={pending} />
        <search className="desk-search">
          <TextInput
            size="lg"
            type="search"
            aria-label={desk.search}
            placeholder={desk.searchPlaceholder}
            leftSection={<Icon name="search" />}
            autoFocus
            autoComplete="off"
            enterKeyHint="search"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            // A scanner types the code and then Enter; the next code replaces it.
            onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.select()}
          />
          <ScanCode onCode={setTyped} />
        </search>
        {error && !found && <Problem error={error} />}
        {!found && !error && <p className="dim">{desk.begin}</p>}
        {found?.length === 0 && <Empty title={desk.noneFound}>{desk.noneFoundAdvice}</Empty>}
        <ul className="desk-list">
          {found?.map((person) => (
            <DeskCard
              key={person.id}
              person={person}
              waiting={pending.filter(
                ({ participantId, refused }) => participantId === person.id && !refused,
              )}
              open={(opened ?? only) === person.id}
              onOpen={() => setOpened(opened === person.id ? '' : person.id)}
              onChange={(change) => queue.add(change)}
            />
          ))}
        </ul>
        {hasMore && <p className="dim">{desk.more}</p>}
      </div>
    </Page>
  );
}
