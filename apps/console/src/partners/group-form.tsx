import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { StaffGroup } from '../api';
import { localOf, timeOf } from '../events/edit/local-time';
import { changeOccurrence } from '../events/write-catalogue';
import { FormDialog } from '../pieces';
import { useChange, useSession } from '../session';
import { useTexts } from '../texts';

const MOST_PLACES = 2_147_483_647;

/** Changes the name, places and deadline of a group, in the record of its occurrence: other changes of it stay. */
export function GroupForm({ group, onClose }: { group: StaffGroup; onClose(): void }) {
  const { partners, save, participants } = useTexts();
  const { api } = useSession();
  // The page reads the group again meanwhile.
  const [before] = useState(group);
  const [name, setName] = useState(before.name);
  const [description, setDescription] = useState(before.description ?? '');
  const [places, setPlaces] = useState(String(before.maxCapacity));
  const deadlineBefore = localOf(before.deadline ?? '', before.timeZone);
  const [deadline, setDeadline] = useState(deadlineBefore);
  const [type, setType] = useState(before.type);
  const maxCapacity = Number(places);
  const isValid =
    /^\d{1,10}$/.test(places.trim()) && maxCapacity >= group.usedCapacity && maxCapacity <= MOST_PLACES;
  const saving = useChange(
    () =>
      changeOccurrence(api, group.eventOccurrenceId, (occurrence) => ({
        ...occurrence,
        reservedEntryGroups: occurrence.reservedEntryGroups?.map((each) => {
          if (each.id !== group.id && each.code !== group.code) return each;
          // What was not changed here may have been changed elsewhere.
          return {
            ...each,
            ...(name.trim() !== before.name && { name: name.trim() }),
            ...(maxCapacity !== before.maxCapacity && { maxCapacity }),
            ...(type !== before.type && { type }),
            ...(description.trim() !== (before.description ?? '') && {
              description: description.trim() || undefined,
            }),
            ...(deadline !== deadlineBefore && {
              settings: {
                ...(each.settings as object | undefined),
                deadline: deadline ? timeOf(deadline) : undefined,
              },
            }),
          };
        }),
      })),
    [],
    onClose,
  );
  return (
    <FormDialog
      title={partners.editGroup}
      action={save}
      change={saving}
      disabled={!isValid}
      onClose={onClose}
    >
      <TextInput
        label={participants.name}
        required
        maxLength={255}
        data-autofocus
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <TextInput
        label={partners.places}
        inputMode="numeric"
        required
        error={isValid ? undefined : partners.placesRule(group.usedCapacity)}
        value={places}
        onChange={({ target }) => setPlaces(target.value)}
      />
      <TextInput
        label={partners.deadline}
        description={partners.deadlineHelp}
        type="datetime-local"
        value={deadline}
        onChange={({ target }) => setDeadline(target.value)}
      />
      <Textarea
        label={partners.description}
        maxLength={2_000}
        rows={3}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      <Checkbox
        label={partners.singleUse}
        checked={type === 'SINGLE_USE'}
        onChange={({ target }) => setType(target.checked ? 'SINGLE_USE' : 'MULTI_USE')}
      />
    </FormDialog>
  );
}
