import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { anonymous, StartlineError } from '../api';
import { Alert, Problem } from '../pieces/problem';
import { useTexts } from '../texts';
import { Entrance } from './entrance';
import { remember } from './remembered';

/** A one-time link: its token is in the fragment, and a request of the person who opened it redeems it. */
export function Redeem() {
  const { signIn } = useTexts();
  const [link] = useState(() => new URLSearchParams(location.hash.slice(1)));
  const organization = link.get('organization') ?? '';
  const token = link.get('token') ?? '';
  // Removes the token from the address bar and the history.
  useEffect(() => history.replaceState(null, '', location.pathname), []);
  const redeem = useMutation({
    mutationFn: () => anonymous.post('/console/v1/session/redeem', { body: { organization, token } }),
    onSuccess: (me) => {
      remember(me.organization);
      location.replace(`/console/o/${me.organization.slug}`);
    },
  });
  const isRefused = redeem.error instanceof StartlineError && redeem.error.status === 403;
  if (!organization || !token) {
    return (
      <Entrance title={signIn.linkBroken}>
        <p>{signIn.linkBrokenAdvice}</p>
      </Entrance>
    );
  }
  return (
    <Entrance title={signIn.linkTitle(organization)}>
      <p>{signIn.linkText}</p>
      {isRefused ? (
        <Alert title={signIn.linkRefused}>
          <p>{signIn.linkRefusedAdvice}</p>
        </Alert>
      ) : (
        redeem.error && <Problem error={redeem.error} />
      )}
      <Button
        fullWidth
        size="md"
        loading={redeem.isPending || redeem.isSuccess}
        onClick={() => redeem.mutate()}
      >
        {signIn.linkSubmit}
      </Button>
    </Entrance>
  );
}
