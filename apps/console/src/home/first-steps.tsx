import { Box, NavLink, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { Card, Icon } from '../pieces';
import { useGet, useSession } from '../session';
import { useTexts } from '../texts';

const FIRST = { query: { 'page[size]': 1 } };

/** What a new organization needs, and how far it is: gone when people are there. */
export function FirstSteps() {
  const { home } = useTexts();
  const { opens } = useSession();
  const keys = opens('/developers/keys');
  const { data: events } = useGet(['occurrences', 'first'], '/console/v1/event-occurrences', FIRST);
  const { data: people } = useGet(['participants', 'first'], '/console/v1/participants', FIRST);
  const { data: made } = useGet(['keys', 'first'], '/console/v1/keys', undefined, { enabled: keys });
  if (!events || !people || people.data.length > 0 || (keys && !made)) return null;
  const steps = [
    { ...home.steps.event, to: '/events/new', done: events.data.length > 0 },
    { ...home.steps.people, to: '/imports/new', done: false },
    ...(keys ? [{ ...home.steps.key, to: '/developers/keys', done: Boolean(made?.data.length) }] : []),
  ];
  return (
    <Card title={home.stepsDone(steps.filter(({ done }) => done).length, steps.length)}>
      <Stack component="ol" gap={0} mx={-8} className="plain-list">
        {steps.map(({ title, help, to, done }) => (
          <li key={to}>
            <NavLink
              component={Link}
              to={to}
              label={<strong>{title}</strong>}
              description={done ? home.done : help}
              leftSection={
                <Box component="span" c={done ? 'var(--good)' : 'dimmed'}>
                  <Icon name={done ? 'check' : 'right'} />
                </Box>
              }
            />
          </li>
        ))}
      </Stack>
    </Card>
  );
}
