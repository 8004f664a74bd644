import { Box, Button, Group, UnstyledButton } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type CatalogueRecordState, type CatalogueWritten, StartlineError } from '../../api';
import { useAllQuestions } from '../../participants/edit/use-questions';
import { Problem, TabLine, Time, useFilters, useLeaveQuestion } from '../../pieces';
import { useSession } from '../../session';
import { useTexts } from '../../texts';
import { changedMeanwhile, isChangedMeanwhile, NAME_OF, type Row, writeCatalogue } from '../write-catalogue';
import { changesOf, type Draft, isDirty, placedTicketsOf, ticketsOf, typed } from './draft';
import { EditingProvider, isWithin, labelOf, type Wrong } from './editing';
import { Meanwhile } from './meanwhile';
import { MovedDates } from './moved-dates';
import { isObject } from './paths';
import { SECTIONS, type Section, SectionOf, sectionOf } from './sections';
import { dropDraft, storeDraft, storedDraft } from './stored-draft';

interface EditorProps {
  /** Under which what was typed is kept: the id of the occurrence, or `new`. */
  name: string;
  start: Draft;
  /** @returns what is edited from now on, if the page stays */
  onSaved(written: CatalogueWritten, draft: Draft): Promise<Draft | undefined>;
  onDiscard(): void;
}

/** The form of an event: everything that its records of a catalogue file can contain. */
export function Editor({ name, start, onSaved, onDiscard }: EditorProps) {
  const { eventForm: words } = useTexts();
  const { api, organizationId, me } = useSession();
  const queries = useQueryClient();
  const { filters, set: go } = useFilters(['part'] as const);
  const [kept] = useState(() => storedDraft(me.id, name));
  const [draft, setDraft] = useState<Draft>(kept ?? start);
  /** Whether the browser has room for what was typed. */
  const [isKept, setIsKept] = useState(true);
  const [wrong, setWrong] = useState<Wrong[]>([]);
  const [current, setCurrent] = useState<CatalogueRecordState[]>();
  const dirty = isDirty(draft);
  const section = SECTIONS.find((each) => each === filters.part) ?? 'basics';
  const show = (part: Section) => go({ part }, { replace: true });

  useEffect(() => {
    if (!dirty) dropDraft(me.id, name);
    setIsKept(!dirty || storeDraft(me.id, name, draft));
  }, [draft, dirty, me.id, name]);

  const save = useMutation({
    mutationFn: async () => {
      const { places, ...sent } = changesOf(draft);
      const taken = await alreadyThere(sent.records);
      if (taken.length > 0) return { wrong: inDraft(taken, places) };
      try {
        return { written: await writeCatalogue(api, sent) };
      } catch (error) {
        const changed = await changedMeanwhile(api, error, occurrence?.id);
        if (!changed) throw error;
        return { changed };
      }
    },
    onSuccess: async ({ written, wrong: found, changed }) => {
      if (found) return refuse(found);
      setCurrent(changed);
      if (!written) return;
      dropDraft(me.id, name);
      setWrong([]);
      await queries.invalidateQueries({ queryKey: [organizationId] });
      const next = await onSaved(written, draft);
      if (next) setDraft(next);
    },
    onError: (error) => {
      const problems = error instanceof StartlineError ? error.problems : [];
      refuse(inDraft(problems, changesOf(draft).places));
    },
  });

  /** A new record that has the name of a stored one would change that. */
  async function alreadyThere(records: Row[]): Promise<Wrong[]> {
    if (records.every(({ id }) => id !== undefined)) return [];
    const { records: tried } = await writeCatalogue(api, { records, dryRun: true });
    return tried.flatMap(({ outcome, record }, place): Wrong[] =>
      records[place]?.id === undefined && outcome !== 'CREATED'
        ? [
            {
              path: `records[${place}].${NAME_OF[record]}`,
              code: 'EXISTS',
              message: words.wrong.exists[record],
            },
          ]
        : [],
    );
  }

  function refuse(found: Wrong[]) {
    setWrong(found);
    const [first] = found;
    if (first) show(sectionOf(draft.records, first.path));
  }

  // What is wrong first is shown, once its part of the form is.
  useEffect(() => {
    const [first] = wrong;
    if (!first) return;
    const fields = [...document.querySelectorAll<HTMLElement>('[data-path]')];
    const field = fields.find(({ dataset }) => isWithin(first.path, dataset.path ?? ''));
    field?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [wrong]);

  const set = useCallback((path: string, value: unknown) => {
    setDraft((now) => typed(now, path, value));
    setWrong((now) =>
      now.some((each) => isWithin(each.path, path)) ? now.filter((each) => !isWithin(each.path, path)) : now,
    );
  }, []);
  const { names, tickets } = useNames(draft.records);
  const [opened] = useState(() => new Set<string>());
  const occurrence = draft.records.find(({ record }) => record === 'occurrence');
  const zone = String(occurrence?.timeZone ?? 'UTC');
  const currency = currencyOf(draft.records);
  const editing = useMemo(
    () => ({ set, zone, currency, names, tickets, wrong, opened }),
    [set, zone, currency, names, tickets, wrong, opened],
  );
  const named = wrong.slice(0, MOST_NAMED).map(({ path }) => labelOf(draft.records, path, words));
  const question = useLeaveQuestion(dirty && !save.isPending, isKept);
  const isNew = occurrence?.id === undefined;
  // What is said at the fields, or above the form, is not said here too.
  const isSaid =
    save.error instanceof StartlineError && save.error.problems.length > 0 && !isChangedMeanwhile(save.error);
  const failed = isSaid ? null : save.error;
  return (
    <EditingProvider value={editing}>
      {question}
      {kept && dirty && (
        <p className="notice">
          {words.restored} <Time at={kept.typedAt} />
        </p>
      )}
      {current && (
        <Meanwhile
          draft={draft}
          current={current}
          onMerged={(merged) => {
            setDraft(merged);
            setCurrent(undefined);
            save.reset();
          }}
        />
      )}
      <TabLine label={words.parts} open={section}>
        {SECTIONS.map((each) => {
          const count = wrong.filter(({ path }) => sectionOf(draft.records, path) === each).length;
          return (
            <UnstyledButton
              key={each}
              aria-current={each === section ? 'page' : undefined}
              onClick={() => show(each)}
            >
              {words.sections[each]} {count > 0 && <span className="bad">({count})</span>}
            </UnstyledButton>
          );
        })}
      </TabLine>
      {/* What would be typed now, what is stored would replace. */}
      <div style={{ display: 'contents' }} inert={save.isPending}>
        <SectionOf section={section} records={draft.records} />
        <MovedDates draft={draft} start={start} />
      </div>
      <Group
        component="footer"
        gap={8}
        py={12}
        pos="sticky"
        bottom={0}
        bg="var(--page)"
        style={{ zIndex: 2, borderTop: '1px solid var(--line)' }}
      >
        {failed && <Problem error={failed} />}
        {failed && isKept && !(failed instanceof StartlineError) && <p>{words.keptHere}</p>}
        <Box component="p" role="status" mr="auto" c={wrong.length > 0 ? 'var(--bad)' : 'dimmed'}>
          {wrong.length > 0
            ? `${words.notSaved(wrong.length)} ${named.join('; ')}`
            : dirty
              ? words.unsaved(isKept)
              : save.isSuccess
                ? words.saved
                : words.nothingChanged}
        </Box>
        {(dirty || isNew) && (
          <Button
            variant="default"
            onClick={() => {
              dropDraft(me.id, name);
              onDiscard();
            }}
          >
            {words.discard}
          </Button>
        )}
        <Button
          disabled={!dirty || current !== undefined}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {isNew ? words.create : words.save}
        </Button>
      </Group>
    </EditingProvider>
  );
}

/** Problems that are named beside the button, with the record that has them. */
const MOST_NAMED = 3;

/** The API counts the records that were sent. */
const inDraft = (problems: readonly Wrong[], places: number[]): Wrong[] =>
  problems.map((problem) => ({
    ...problem,
    path: problem.path.replace(/^records\[(\d+)\]/, (_, place) => `records[${places[Number(place)]}]`),
  }));

function currencyOf(records: Row[]): string {
  const prices = ticketsOf(records).map(({ price }) => (isObject(price) ? price.currencyCode : undefined));
  return String(prices.find((code) => code && code !== 'ZERO') ?? 'EUR');
}

/** What fields can name: records of the draft, and questions of other events. And the tickets that can have forms. */
function useNames(records: Row[]) {
  const others = useAllQuestions();
  const ofKind = (kind: string, name: string, label: string) =>
    records
      .filter((row) => row.record === kind && row[name])
      .map((row) => ({ value: String(row[name]), label: String(row[label] ?? row[name]) }));
  const names = {
    forms: unique(ofKind('bookingForm', 'title', 'title')),
    questions: unique([
      ...others.map(({ key, label }) => ({ value: key, label })),
      ...ofKind('bookingFormField', 'key', 'label'),
    ]),
    tickets: unique(
      ticketsOf(records)
        .filter(({ ticketSlug }) => ticketSlug)
        .map(({ ticketSlug, title }) => ({ value: String(ticketSlug), label: `${title} (${ticketSlug})` })),
    ),
  };
  const tickets = placedTicketsOf(records).map(({ path, race, ticket }) => ({
    value: path,
    label: [race, ticket].map(({ title }) => String(title ?? '')).join(' · '),
    forms: (ticket.bookingForms as string[] | undefined) ?? [],
  }));
  const text = JSON.stringify([names, tickets]);
  return useMemo(() => ({ names, tickets }), [text]);
}

const unique = (choices: { value: string; label: string }[]) => [
  ...new Map(choices.map((choice) => [choice.value, choice])).values(),
];
