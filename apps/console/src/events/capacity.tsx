import { Group } from '@mantine/core';
import { Bar } from '../pieces';
import { useTexts } from '../texts';

interface CapacityProps {
  usedCapacity: number;
  maxCapacity: number | null;
}

/** The number of taken places and the limit. */
export function Capacity({ usedCapacity, maxCapacity }: CapacityProps) {
  const { events, imports } = useTexts();
  if (maxCapacity === null) return <>{events.unlimited(usedCapacity)}</>;
  const over = usedCapacity - maxCapacity;
  const share = maxCapacity === 0 ? 0 : Math.min(1, usedCapacity / maxCapacity);
  return (
    <Group className="progress" gap={10} wrap="nowrap">
      <Bar parts={[{ tone: over > 0 ? 'bad' : 'good', share }]} aria-hidden="true" />
      <span className={over > 0 ? 'bad' : undefined}>
        {imports.of(usedCapacity, maxCapacity)} {over > 0 && events.overbooked(over)}
      </span>
    </Group>
  );
}
