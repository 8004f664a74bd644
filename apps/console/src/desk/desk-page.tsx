import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../pieces/icons';
import { Empty, Page } from '../pieces/page';
import { Problem } from '../pieces/problem';
import { useTexts } from '../texts';
import { DeskCard } from './desk-card';
import { DeskTabs } from './desk-tabs';
import { PendingChanges } from './pending-changes';
import { isAhead } from './queue';
import { ScanCode } from './scan-code';
import { useDeskQueue } from './use-desk-queue';
import { useFound } from './use-found';

/** For a phone or tablet at the desk. The list is empty before a search. */
export function DeskPage() {
  const { desk } = useTexts();
  const { queue, pending } = useDeskQueue();
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<string>();
  const { isAsked, found, stale, failure } = useFound(typed);
  const only = found?.data.length === 1 ? found.data[0]?.id : undefined;
  return (
    <Page title={desk.title}>
      <DeskTabs />
      <div className="desk">
        <PendingChanges queue={queue} pending={pending} onShow={setTyped} />
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
        {failure && <Problem error={failure} />}
        {!isAsked && <p className="dim">{desk.begin}</p>}
        {isAsked && (stale || !found) && !failure && (
          <p className="dim" role="status">
            {desk.searching}
          </p>
        )}
        {found?.data.length === 0 && !stale && <Empty title={desk.noneFound}>{desk.noneFoundAdvice}</Empty>}
        <ul className="desk-list" inert={stale}>
          {found?.data.map((person) => (
            <DeskCard
              key={person.id}
              person={person}
              ahead={pending.filter(
                (change) => change.participantId === person.id && isAhead(change, person, found.asOf),
              )}
              open={(opened ?? only) === person.id}
              onOpen={() => setOpened(opened === person.id ? '' : person.id)}
              onChange={(change) => queue.add(change)}
            />
          ))}
        </ul>
        {found?.hasMore && !stale && <p className="dim">{desk.more}</p>}
      </div>
    </Page>
  );
}
