import { useState } from 'react';
import type { UnidentifiedMessage } from '../api';
import { Card, type Column, Empty, List, Time } from '../pieces';
import { LIVE_MS } from '../queries';
import { useList } from '../session';
import { useTexts } from '../texts';
import { Subject } from './subject';

const SIZE = 20;

/** The timing messages that name nobody yet, newest first, and why. */
export function UnidentifiedMessages() {
  const { desk, applications, imports } = useTexts();
  const [cursor, setCursor] = useState<Record<string, string | undefined>>({});
  const query = { ...cursor, 'page[size]': SIZE };
  const list = useList(
    ['unidentified', query],
    '/console/v1/race-day/unidentified',
    { query },
    { refetchInterval: LIVE_MS * 2 },
  );
  const columns: Column<UnidentifiedMessage>[] = [
    { title: desk.subject, main: true, cell: (message) => <Subject {...message} /> },
    { title: applications.reason, cell: ({ reason }) => desk.reasons[reason] },
    { title: desk.happened, cell: ({ changedAt }) => <Time at={changedAt} seconds /> },
    { title: imports.created, cell: ({ receivedAt }) => <Time at={receivedAt} seconds /> },
  ];
  return (
    <Card title={desk.unidentified}>
      <List
        of={list}
        caption={desk.unidentified}
        columns={columns}
        go={setCursor}
        empty={<Empty title={desk.noMessages}>{desk.waitsHelp}</Empty>}
      />
    </Card>
  );
}
