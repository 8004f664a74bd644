import { Button, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Participant } from '../../api';
import { merge } from '../../events/edit/merge';
import { FormDialog, Later } from '../../pieces';
import { useSession } from '../../session';
import { useTexts } from '../../texts';
import { type Answer, PERSON_PATHS, PersonFields, personOf } from './person-fields';
import { useMeanwhile } from './use-meanwhile';
import { useQuestions } from './use-questions';
import { useRefusals } from './use-refusals';

const MOST = 50;
const PATHS = [...PERSON_PATHS, 'team', 'tags', 'notes'];

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Corrects a participant. Sends only what was changed here, because others may have changed the rest meanwhile. */
export function EditParticipant({ entry, onClose }: { entry: Participant; onClose(): void }) {
  const { participants, save } = useTexts();
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const questions = useQuestions(entry.ticketId);
  const { known: before, check, notice } = useMeanwhile(entry);
  const [typed, setTyped] = useState(before);
  const type = (changes: Partial<typeof typed>) => setTyped((now) => ({ ...now, ...changes }));
  const { person, team, tags, notes } = typed;
  const answered = Object.entries(person.answers).filter(
    ([key, value]) => !isSame(value ?? null, before.person.answers[key] ?? null),
  );
  const written = notes.map((note) => note.trim()).filter(Boolean);
  const changed = (name: (typeof PERSON_PATHS)[number]) =>
    !isSame(personOf(person)[name], personOf(before.person)[name]) && { [name]: personOf(person)[name] };
  const body = {
    ...Object.assign({}, ...PERSON_PATHS.map(changed)),
    ...(answered.length > 0 && {
      fields: answered.map(([key, value]) => ({ key, value: (value ?? null) as Answer })),
    }),
    ...(team.trim() !== before.team && { team: team.trim() ? { name: team.trim() } : null }),
    ...(!isSame(tags, before.tags) && { tags }),
    ...(!isSame(written, before.notes) && { notes: written }),
  };
  const correct = useMutation({
    mutationFn: async () => {
      const now = await check();
      if (now) setTyped(merge(before, typed, now, []) as typeof typed);
      else return api.patch('/v0/participants/{id}', { params: { path: { id: entry.id } }, body });
    },
    onSuccess: async (saved) => {
      if (!saved) return;
      await queries.invalidateQueries({ queryKey: [organizationId] });
      onClose();
    },
  });
  const refusals = useRefusals(
    correct.error,
    PATHS,
    answered.map(([key]) => key),
  );
  return (
    <FormDialog
      wide
      title={participants.editTitle}
      action={save}
      pending={correct.isPending}
      disabled={Object.keys(body).length === 0}
      error={refusals.rest ?? questions.error}
      onSubmit={() => correct.mutate()}
      onClose={onClose}
    >
      <PersonFields
        person={person}
        questions={questions}
        emailOf={entry.booker.email}
        refusalOf={refusals.of}
        onChange={(changes) => type({ person: { ...person, ...changes } })}
      />
      <Later>
        <div className="tiles">
          <TextInput
            label={participants.team}
            description={participants.teamHelp}
            maxLength={255}
            error={refusals.of('team')}
            value={team}
            onChange={({ target }) => type({ team: target.value })}
          />
          <TagsInput
            label={participants.tags}
            description={participants.tagsHelp}
            maxTags={MOST}
            error={refusals.of('tags')}
            value={tags}
            onChange={(next) => type({ tags: next })}
          />
        </div>
        <Notes notes={notes} error={refusals.of('notes')} onChange={(next) => type({ notes: next })} />
      </Later>
      {notice}
    </FormDialog>
  );
}

function Notes(props: { notes: string[]; error?: string; onChange(notes: string[]): void }) {
  const { participants } = useTexts();
  const { notes, error, onChange } = props;
  return (
    <Stack>
      {notes.map((note, i) => (
        <Textarea
          key={i}
          label={participants.note(i + 1)}
          maxLength={10_000}
          rows={2}
          error={i === 0 && error}
          value={note}
          onChange={({ target }) => onChange(notes.map((each, at) => (at === i ? target.value : each)))}
        />
      ))}
      {notes.length < MOST && (
        <div>
          <Button variant="default" size="xs" onClick={() => onChange([...notes, ''])}>
            {participants.addNote}
          </Button>
        </div>
      )}
    </Stack>
  );
}
