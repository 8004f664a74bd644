import { Button, type ButtonProps, Group } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';

/** Buttons of which one is pressed. */
export const Pills = ({ label, children }: { label: string; children: ReactNode }) => (
  <Group role="group" aria-label={label} gap={6}>
    {children}
  </Group>
);

type PillProps = ButtonProps & ComponentProps<'button'> & { pressed: boolean };

export const Pill = ({ pressed, ...props }: PillProps) => (
  <Button
    size="compact-sm"
    radius="xl"
    variant={pressed ? 'light' : 'default'}
    aria-pressed={pressed}
    {...props}
  />
);
