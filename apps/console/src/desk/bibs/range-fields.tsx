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
  const error = (of: DraftProblem) => (problems.includes(of) ? bibs.rules[of] : undefined);
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
        <TextInput
          label={bibs.from}
          inputMode="numeric"
          required
          error={error('from')}
          value={draft.from}
          onChange={({ target }) => set({ from: target.value })}
        />
        <TextInput
          label={bibs.to}
          inputMode="numeric"
          required
          error={error('to')}
          value={draft.to}
          onChange={({ target }) => set({ to: target.value })}
        />
        <TextInput
          label={bibs.prefix}
          maxLength={10}
          value={draft.prefix}
          onChange={({ target }) => set({ prefix: target.value })}
        />
        <TextInput
          label={bibs.digits}
          inputMode="numeric"
          maxLength={1}
          error={error('digits')}
          value={draft.digits}
          onChange={({ target }) => set({ digits: target.value })}
        />
      </div>
      <div className="tiles">
        <MultiSelect
          label={events.tickets}
          placeholder={draft.ticketIds.length > 0 ? undefined : bibs.all}
          searchable
          maxValues={100}
          data={choices.tickets}
          value={draft.ticketIds}
          onChange={(ticketIds) => set({ ticketIds })}
        />
        <MultiSelect
          label={bibs.waves}
          placeholder={draft.waveIds.length > 0 ? undefined : bibs.all}
          searchable
          maxValues={100}
          disabled={choices.waves.length === 0}
          data={choices.waves}
          value={draft.waveIds}
          onChange={(waveIds) => set({ waveIds })}
        />
        <TagsInput
          label={bibs.tags}
          placeholder={draft.tags.length > 0 ? undefined : bibs.all}
          maxTags={50}
          value={draft.tags}
          onChange={(tags) => set({ tags })}
        />
        <TextInput
          label={bibs.reserved}
          placeholder="100, 110-119"
          maxLength={1_000}
          error={error('reserved')}
          value={draft.reserved}
          onChange={({ target }) => set({ reserved: target.value })}
        />
        <MultiSelect
          label={bibs.order}
          placeholder={draft.order.length > 0 ? undefined : bibs.byRegistration}
          maxValues={3}
          data={orders}
          value={draft.order}
          onChange={(order) => set({ order })}
        />
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
