import { Select } from '@mantine/core';
import type { DateOrder, DecimalSign, FileMapping, Plan } from '../api';
import { Card } from '../pieces/page';
import { useTexts } from '../texts';

interface ChoicesProps {
  plan: Plan;
  mapping: FileMapping;
  onChange(given: Partial<FileMapping>): void;
}

/** Asks what the values of a column leave open: day or month first, and which sign comes before decimals. */
export function Choices({ plan, mapping, onChange }: ChoicesProps) {
  const { upload } = useTexts();
  const asked = plan.questions.filter((each) => each.kind === 'dateOrder' || each.kind === 'decimal');
  const examples = (kind: 'dateOrder' | 'decimal') =>
    asked
      .flatMap((each) => (each.kind === kind ? [`${each.column}: ${each.examples.join(', ')}`] : []))
      .join('; ');
  const dates = examples('dateOrder');
  const amounts = examples('decimal');
  if (!dates && !amounts && !mapping.dateOrder && !mapping.decimal) return null;
  return (
    <Card title={upload.choices.title}>
      {(dates || mapping.dateOrder) && (
        <div className="choice">
          <p>
            {upload.choices.dates} {dates && <span className="dim">{dates}</span>}
          </p>
          <Select
            allowDeselect={false}
            placeholder={upload.choices.choose}
            aria-label={upload.choices.dates}
            data={[
              { value: 'dmy', label: upload.choices.dmy },
              { value: 'mdy', label: upload.choices.mdy },
            ]}
            value={mapping.dateOrder ?? null}
            onChange={(value) => value && onChange({ dateOrder: value as DateOrder })}
          />
        </div>
      )}
      {(amounts || mapping.decimal) && (
        <div className="choice">
          <p>
            {upload.choices.amounts} {amounts && <span className="dim">{amounts}</span>}
          </p>
          <Select
            allowDeselect={false}
            placeholder={upload.choices.choose}
            aria-label={upload.choices.amounts}
            data={[
              { value: '.', label: '1,045.00' },
              { value: ',', label: '1.045,00' },
            ]}
            value={mapping.decimal ?? null}
            onChange={(value) => value && onChange({ decimal: value as DecimalSign })}
          />
        </div>
      )}
    </Card>
  );
}
