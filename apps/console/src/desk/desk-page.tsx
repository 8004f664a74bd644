import { Button, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Empty, Icon, Page, Problem } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';
import { DeskCard } from './desk-card';
import { PendingChanges } from './pending-changes';
import { isAhead } from './queue';
import { ScanCode } from './scan-code';
import { useDeskQueue } from './use-desk-queue';
import { useFound } from './use-found';
import { useRaces } from './use-races';

/** For a phone or tablet at the desk. The list is empty before a search. */
export function DeskPage() {
  const { desk, participants } = useTexts();
  const { organizationId } = useSession();
  const { queue, pending } = useDeskQueue();
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<string>();
  const { events } = useRaces();
  // Stays chosen in this browser. Empty: all events.
  const [chosen, setChosen] = useLocalStorage<string | null>({
    key: `startline.desk-event.${organizationId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const [withCancelled, setWithCancelled] = useState(false);
  const event = chosen ?? events.find(({ startDate }) => startDate === today())?.value;
  const { isAsked, found, stale, failure, hold } = useFound(typed, {
    eventOccurrenceId: event || undefined,
    status: withCancelled ? undefined : 'CONFIRMED',
  });
  useEffect(() => queue.settle(found?.data ?? []), [queue, found]);
  const only = found?.data.length === 1 ? found.data[0]?.id : undefined;
  return (
    <Page section="desk">
      <Stack className="desk" gap={16} w="100%" maw={720}>
        <PendingChanges queue={queue} pending={pending} onShow={setTyped} />
        <Group component="search" gap={10}>
          <TextInput
            flex="1 1 260px"
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
        </Group>
        <div className="filters">
          <Select
            aria-label={participants.event}
            placeholder={participants.anyEvent}
            searchable
            clearable
            limit={100}
            data={events}
            value={event || null}
            onChange={(value) => setChosen(value ?? '')}
          />
          <Checkbox
            label={desk.withCancelled}
            checked={withCancelled}
            onChange={({ target }) => setWithCancelled(target.checked)}
          />
        </div>
        {failure && <Problem error={failure} />}
        {!isAsked && <p className="dim">{desk.begin}</p>}
        {isAsked && (stale || !found) && !failure && (
          <p className="dim" role="status">
            {desk.searching}
          </p>
        )}
        {found?.data.length === 0 && !stale && (
          <Empty
            title={participants.noneFound}
            action={event && <Button onClick={() => setChosen('')}>{desk.searchAllEvents}</Button>}
          >
            {desk.noneFoundAdvice}
          </Empty>
        )}
        <ul className="desk-list plain-list" inert={stale}>
          {found?.data.map((person) => (
            <DeskCard
              key={person.id}
              person={person}
              ahead={pending.filter(
                (change) => change.participantId === person.id && isAhead(change, person, found.asOf),
              )}
              open={(opened ?? only) === person.id}
              onOpen={() => setOpened(opened === person.id ? '' : person.id)}
              onChange={(change) => {
                queue.add(change);
                if (change.bibNumber !== undefined && person.bibNumber?.startsWith(typed.trim())) {
                  hold(person);
                  setOpened(person.id);
                }
              }}
            />
          ))}
        </ul>
        {found?.hasMore && !stale && <p className="dim">{desk.more}</p>}
      </Stack>
    </Page>
  );
}

/** In the time zone of the desk. */
const today = (): string => new Intl.DateTimeFormat('en-CA').format();
