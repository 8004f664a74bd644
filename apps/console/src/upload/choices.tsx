import { Checkbox, Group, Select } from '@mantine/core';
import { type Choices as Chosen, type FileMapping, type Plan, wordsOfReading } from '../api';
import { Card } from '../pieces';
import { useLanguage, useTexts } from '../texts';

/** Values that are shown of many. */
const SHOWN = 8;

interface ChoicesProps {
  plan: Pick<Plan, 'questions' | 'readings'>;
  mapping: FileMapping;
  onChange(given: Partial<FileMapping>): void;
}

/** Asks what the values of columns leave open, such as whether day or month comes first. */
export function Choices({ plan, mapping, onChange }: ChoicesProps) {
  const { upload } = useTexts();
  const { language } = useLanguage();
  const outside = plan.questions.flatMap((each) => (each.kind === 'outside' ? [each] : []));
  if (plan.readings.length + outside.length === 0) return null;
  return (
    <Card title={upload.choices.title}>
      {plan.readings.map(({ column, open, examples, ways, answer }) => (
        <Group justify="space-between" key={`${column} ${open}`}>
          <p>
            <strong>{column}</strong>: {wordsOfReading(open, language)}{' '}
            <span className="dim">{examples.join(', ')}</span>
          </p>
          <Select
            placeholder={upload.choices.choose}
            aria-label={`${column}: ${wordsOfReading(open, language)}`}
            data={ways.map(({ way, example }) => ({
              value: way,
              label: `${wordsOfReading(way, language)}${example ? ` (${example})` : ''}`,
            }))}
            value={answer ?? null}
            onChange={(way) => {
              const { readings } = mapping;
              const own = { ...readings?.[column], [open]: way } as Chosen;
              onChange({ readings: { ...readings, [column]: own } });
            }}
          />
        </Group>
      ))}
      {outside.map(({ column, values }) => (
        <Group justify="space-between" key={column}>
          <p>
            <strong>{column}</strong>: {upload.choices.outside(values.length)}{' '}
            <span className="dim">{values.slice(0, SHOWN).join(', ')}</span>
          </p>
          <Checkbox
            label={upload.choices.accept}
            aria-label={`${column}: ${upload.choices.accept}`}
            checked={false}
            onChange={() => {
              const known = mapping.accepted === true ? {} : mapping.accepted;
              onChange({ accepted: { ...known, [column]: [...(known?.[column] ?? []), ...values] } });
            }}
          />
        </Group>
      ))}
    </Card>
  );
}
