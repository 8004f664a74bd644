import { Progress } from '@mantine/core';

const COLORS = { good: 'var(--accent)', bad: 'var(--bad)', plain: 'var(--line-strong)' };

interface BarProps extends Partial<Record<`aria-${string}`, unknown>> {
  /** Shares of the whole. */
  parts: { tone: keyof typeof COLORS; share: number }[];
  tall?: boolean;
  role?: 'progressbar';
}

/** Parts of a whole, as a picture of the text beside it. */
export const Bar = ({ parts, tall, ...more }: BarProps) => (
  <Progress.Root flex="1 1 auto" miw={60} size={tall ? 10 : 6} bg="var(--plain-soft)" {...more}>
    {parts.map(({ tone, share }) => (
      <Progress.Section key={tone} withAria={false} color={COLORS[tone]} value={100 * share} />
    ))}
  </Progress.Root>
);
