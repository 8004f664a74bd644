import { Button, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Participant } from '../../api';
import { FormDialog } from '../../pieces/form-dialog';
import { Later } from '../../pieces/later';
import { useSession } from '../../session/session';
import { useTexts } from '../../texts';
import { type Answer, PERSON_PATHS, type Person, PersonFields, personOf } from './person-fields';
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
  const [before] = useState(() => storedIn(entry));
  const [person, setPerson] = useState(before.person);
  const [team, setTeam] = useState(before.team);
  const [tags, setTags] = useState(before.tags);
  const [notes, setNotes] = useState(before.notes);
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
    mutationFn: () => api.patch('/v0/participants/{id}', { params: { path: { id: entry.id } }, body }),
    onSuccess: async () => {
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
        onChange={(changes) => setPerson((now) => ({ ...now, ...changes }))}
      />
      <Later>
        <div className="form-grid">
          <TextInput
            label={participants.team}
            description={participants.teamHelp}
            maxLength={255}
            error={refusals.of('team')}
            value={team}
            onChange={({ target }) => setTeam(target.value)}
          />
          <TagsInput
            label={participants.tags}
            description={participants.tagsHelp}
            maxTags={MOST}
            error={refusals.of('tags')}
            value={tags}
            onChange={setTags}
          />
        </div>
        <Notes notes={notes} error={refusals.of('notes')} onChange={setNotes} />
      </Later>
    </FormDialog>
  );
}

function storedIn(entry: Participant) {
  const answers = new Map(entry.fields.map(({ key, value }) => [key, value]));
  const text = (key: string) => {
    const value = answers.get(key);
    return typeof value === 'string' ? value : '';
  };
  const person: Person = {
    firstName: text('firstName'),
    lastName: text('lastName'),
    email: text('email'),
    dateOfBirth: text('dateOfBirth'),
    gender: text('gender') || null,
    answers: Object.fromEntries(answers),
  };
  return { person, team: entry.team?.name ?? '', tags: entry.tags, notes: entry.notes };
}

function Notes(props: { notes: string[]; error?: string; onChange(notes: string[]): void }) {
  const { participants } = useTexts();
  const { notes, error, onChange } = props;
  return (
    <div className="dialog">
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
    </div>
  );
}
