import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queueOf } from '../desk/queue';
import { dropChanges } from '../imports/rows/use-changes';
import { Confirm } from '../pieces';
import { useSession } from '../session';
import { useTexts } from '../texts';

/**
 * Ends the session of this browser, or all sessions of the member. Asks first if changes of the desk would be lost; says so if the session
 * does not end.
 */
export function useSignOut({ everywhere = false } = {}) {
  const { api, leave, organizationId } = useSession();
  const { desk, shell, account } = useTexts();
  /** While the question is open: how many changes would be lost. */
  const [unsent, setUnsent] = useState<number>();
  const queue = queueOf(organizationId);
  const signOut = useMutation({
    mutationFn: () =>
      api.delete('/console/v1/session', { params: { query: { everywhere: everywhere || undefined } } }),
    onSuccess: () => {
      queue.clear();
      dropChanges();
      leave();
    },
    onError: () => setUnsent((now) => now ?? 0),
  });
  const ask = () => {
    const count = queue.snapshot().filter(({ confirmedAt }) => !confirmedAt).length;
    if (count > 0) setUnsent(count);
    else signOut.mutate();
  };
  const action = everywhere ? account.signOutEverywhere : shell.signOut;
  const question = unsent !== undefined && (
    <Confirm
      title={unsent > 0 ? desk.leaveTitle : action}
      action={action}
      keep={desk.leaveStay}
      danger
      pending={signOut.isPending}
      error={signOut.error}
      onConfirm={() => signOut.mutate()}
      onClose={() => setUnsent(undefined)}
    >
      {unsent > 0 && <p>{desk.leaveText(unsent)}</p>}
    </Confirm>
  );
  return { ask, isPending: signOut.isPending, question };
}
