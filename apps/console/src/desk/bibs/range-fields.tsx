import { Button, Checkbox, Fieldset, MultiSelect, TagsInput, TextInput } from '@mantine/core';
import { useTexts } from '../../texts';
import type { DraftProblem, RangeDraft } from './range-draft';

interface Choice {
  value: string;
  label: string;
}

export interface RangeChoices {
  tickets: Choice[];
  waves: Choice[];
  /** Questions whose answers are numbers. */
  questions: Choice[];
}

interface RangeFieldsProps {
  place: number;
  draft: RangeDraft;
  choices: RangeChoices;
  /** What is wrong, once the form was sent. */
  problems: DraftProblem[];
  onChange(draft: RangeDraft): void;
  /** Absent for the only range. */
  onRemove?(): void;
}

/** The numbers of a range, who gets them, and in which order. */
export function RangeFields({ place, draft, choices, problems, onChange, onRemove }: RangeFieldsProps) {
  const { bibs, events } = useTexts();
  const set = (change: Partial<RangeDraft>) => onChange({ ...draft, ...change });
  const text = (name: 'from' | 'to' | 'prefix' | 'digits' | 'reserved', label: string) => ({
    label,
    error: problems.some((each) => each === name) && bibs.rules[name as DraftProblem],
    value: draft[name],
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  });
  const many = (name: 'ticketIds' | 'waveIds' | 'tags' | 'order', label: string, none = bibs.all) => ({
    label,
    placeholder: draft[name].length > 0 ? undefined : none,
    value: draft[name],
    onChange: (chosen: string[]) => set({ [name]: chosen }),
  });
  const orders = [
    { value: 'NAME', label: bibs.byName },
    ...(choices.waves.length > 0 ? [{ value: 'WAVE', label: bibs.byWave }] : []),
    ...choices.questions.flatMap(({ value, label }) => [
      { value: `ANSWER:${value}`, label: bibs.byAnswer(label) },
      { value: `ANSWER:${value}:down`, label: bibs.byAnswerDown(label) },
    ]),
  ];
  return (
    <Fieldset className="fieldset" legend={bibs.range(place)}>
      <div className="tiles" data-small>
        <TextInput {...text('from', bibs.from)} inputMode="numeric" required />
        <TextInput {...text('to', bibs.to)} inputMode="numeric" required />
        <TextInput {...text('prefix', bibs.prefix)} maxLength={10} />
        <TextInput {...text('digits', bibs.digits)} inputMode="numeric" maxLength={1} />
      </div>
      <div className="tiles">
        <MultiSelect
          {...many('ticketIds', events.tickets)}
          searchable
          maxValues={100}
          data={choices.tickets}
        />
        <MultiSelect
          {...many('waveIds', bibs.waves)}
          searchable
          maxValues={100}
          disabled={choices.waves.length === 0}
          data={choices.waves}
        />
        <TagsInput {...many('tags', bibs.tags)} maxTags={50} />
        <TextInput {...text('reserved', bibs.reserved)} placeholder="100, 110-119" maxLength={1_000} />
        <MultiSelect {...many('order', bibs.order, bibs.byRegistration)} maxValues={3} data={orders} />
        <Checkbox
          label={bibs.teamsTogether}
          checked={draft.teamsTogether}
          onChange={({ target }) => set({ teamsTogether: target.checked })}
        />
      </div>
      {onRemove && (
        <Button size="xs" variant="default" mr="auto" onClick={onRemove}>
          {bibs.remove(place)}
        </Button>
      )}
    </Fieldset>
  );
}
