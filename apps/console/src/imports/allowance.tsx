import { Group, Stack } from '@mantine/core';
import { Bar, Time } from '../pieces';
import { LIVE_MS } from '../queries';
import { useGet } from '../session';
import { useTexts } from '../texts';

const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/** The bytes of imports that the organization has sent today, and may send. Shows nothing if it can't be read. */
export function Allowance() {
  const { imports, locale } = useTexts();
  const { data } = useGet(['import-allowance'], '/v0/import-jobs/allowance', undefined, {
    refetchInterval: 10 * LIVE_MS,
  });
  if (!data) return null;
  const { usedBytes, allowedBytes, resetsAt } = data;
  const isUsedUp = usedBytes >= allowedBytes;
  const text = imports.allowance.of(bytesIn(locale, usedBytes), bytesIn(locale, allowedBytes));
  return (
    <Stack w={310} maw="100%" gap={4} fz="sm" lh={1.3}>
      <Group justify="space-between" gap="0 12px">
        <span className={isUsedUp ? 'bad' : 'dim'}>
          {isUsedUp ? imports.allowance.usedUp : imports.allowance.title}
        </span>
        <span>{text}</span>
      </Group>
      <Bar
        parts={[{ tone: isUsedUp ? 'bad' : 'good', share: Math.min(1, usedBytes / allowedBytes) }]}
        aria-hidden="true"
      />
      <Group justify="space-between" gap="0 12px" c="dimmed">
        <span>{imports.allowance.resets}</span>
        <Time at={resetsAt} />
      </Group>
    </Stack>
  );
}

function bytesIn(locale: string, bytes: number): string {
  const power = Math.min(UNITS.length, Math.max(1, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power - 1],
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** power);
}
