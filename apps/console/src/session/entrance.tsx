import { Box, Group, Stack } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Mark } from '../pieces/icons';
import { Card, usePageTitle } from '../pieces/page';
import { useTexts } from '../texts';

/** The page for visitors who are not signed in. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  const { product } = useTexts();
  const id = useId();
  usePageTitle(title);
  return (
    <Stack
      component="main"
      align="center"
      gap={20}
      mih="100vh"
      px={16}
      pt="12vh"
      pb={32}
      bg="var(--rail)"
      aria-labelledby={id}
    >
      <Group gap={10} fz={16} fw={650}>
        <Mark /> {product}
      </Group>
      <Box w="100%" maw={380}>
        <Card>
          <h1 id={id}>{title}</h1>
          {children}
        </Card>
      </Box>
    </Stack>
  );
}
