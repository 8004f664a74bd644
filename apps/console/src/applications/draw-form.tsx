import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { BallotDraw, StaffBallot } from '../api';
import { Card, Confirm, Problem } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';

const MOST_PLACES = 1_000_000;

/** The next draw, with its result in numbers beforehand; or the rest of an interrupted one, with its own parameters. */
export function DrawForm({ ballot }: { ballot: StaffBallot }) {
  const { applications } = useTexts();
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const { id, pendingUnits, placesLeft, drawCount, draws } = ballot;
  const [unfinished] = draws.filter(({ isFinished }) => !isFinished);
  const most = Math.min(pendingUnits, placesLeft ?? MOST_PLACES);
  const [seed, setSeed] = useState(unfinished?.seed ?? '');
  const [typed, setTyped] = useState(String(unfinished?.places ?? most));
  const [keepsPending, setKeeps] = useState(unfinished?.keepsPending ?? false);
  const [asked, setAsked] = useState(false);
  const [progress, setProgress] = useState<BallotDraw>();
  const places = Number(typed);
  const isValid =
    /^\d{1,7}$/.test(typed.trim()) && places <= Math.min(placesLeft ?? MOST_PLACES, MOST_PLACES);
  const drawing = useMutation({
    mutationFn: async () => {
      const number = unfinished?.number ?? drawCount + 1;
      const body = { number, seed: seed.trim(), places, keepsPending };
      let draw: BallotDraw;
      do {
        draw = await api.post('/console/v1/ballots/{id}/draw', { params: { path: { id } }, body });
        setProgress(draw);
      } while (!draw.isFinished);
    },
    onSuccess: () => setAsked(false),
    onSettled: () => queries.invalidateQueries({ queryKey: [organizationId] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
  };
  const drawn = Math.min(places, pendingUnits);
  if (pendingUnits === 0 && !unfinished) {
    return (
      <Card title={applications.nextDraw}>
        <p className="dim">{applications.nobodyWaits}</p>
      </Card>
    );
  }
  return (
    <Card title={unfinished ? applications.continueDraw : applications.nextDraw}>
      <form className="fields" onSubmit={submit}>
        {drawing.error && !asked && <Problem error={drawing.error} />}
        <TextInput
          label={applications.seed}
          description={applications.seedHelp}
          required
          maxLength={255}
          disabled={Boolean(unfinished)}
          value={seed}
          onChange={({ target }) => setSeed(target.value)}
        />
        <TextInput
          label={ballot.competitorSize > 1 ? applications.teamsToDraw : applications.placesToDraw}
          inputMode="numeric"
          required
          disabled={Boolean(unfinished)}
          error={isValid ? undefined : applications.placesRule(placesLeft)}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Checkbox
          label={applications.keepPending}
          disabled={Boolean(unfinished)}
          checked={keepsPending}
          onChange={({ target }) => setKeeps(target.checked)}
        />
        {isValid && !unfinished && (
          <p role="status">{applications.preview(drawn, pendingUnits - drawn, keepsPending)}</p>
        )}
        <Button type="submit" disabled={!isValid || !seed.trim()} mr="auto">
          {unfinished ? applications.continueDraw : applications.drawNow}
        </Button>
      </form>
      {asked && (
        <Confirm
          title={applications.drawTitle}
          action={applications.drawNow}
          change={drawing}
          onClose={() => setAsked(false)}
        >
          <p>{applications.preview(drawn, pendingUnits - drawn, keepsPending)}</p>
          <p>{applications.drawText}</p>
          {progress && !progress.isFinished && (
            <p role="status">
              {applications.progress(
                progress.drawn + progress.notDrawn + progress.decided + progress.full,
                progress.applications,
              )}
            </p>
          )}
        </Confirm>
      )}
    </Card>
  );
}
