import { Button, PasswordInput, VisuallyHidden } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { StartlineError } from '../api';
import { Alert, Card, Page, Problem } from '../pieces';
import { useSession } from '../session';
import { useSignInOptions } from '../session/use-sign-in-options';
import { useTexts } from '../texts';
import { useSignOut } from './use-sign-out';

export function Account() {
  const { account, roles } = useTexts();
  const { me, api, organizationId } = useSession();
  const queries = useQueryClient();
  const passwords = useSignInOptions()?.passwords ?? true;
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const save = useMutation({
    mutationFn: () =>
      api.put('/console/v1/me/password', {
        body: { currentPassword: me.hasPassword ? current : undefined, password },
      }),
    onSuccess: () => {
      setCurrent('');
      setPassword('');
      void queries.invalidateQueries({ queryKey: [organizationId, 'me'] });
    },
  });
  const isRefused = save.error instanceof StartlineError && save.error.status === 403;
  const signOut = useSignOut({ everywhere: true });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Page title={account.title}>
      <p className="dim">{account.signedInAs(me.email, roles[me.role])}</p>
      {passwords && (
        <Card title={account.password}>
          <form className="fields" onSubmit={submit}>
            {isRefused ? (
              <Alert title={account.refused}>
                <p>{account.refusedAdvice}</p>
              </Alert>
            ) : (
              save.error && <Problem error={save.error} />
            )}
            <VisuallyHidden aria-hidden="true">
              <input type="email" autoComplete="username" value={me.email} readOnly tabIndex={-1} />
            </VisuallyHidden>
            {me.hasPassword && (
              <PasswordInput
                label={account.currentPassword}
                visibilityToggleButtonProps={{ 'aria-label': account.showPassword }}
                autoComplete="current-password"
                maxLength={128}
                required
                value={current}
                onChange={({ target }) => setCurrent(target.value)}
              />
            )}
            <PasswordInput
              label={account.newPassword}
              description={account.passwordHelp}
              visibilityToggleButtonProps={{ 'aria-label': account.showPassword }}
              autoComplete="new-password"
              minLength={12}
              maxLength={128}
              required
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
            <div>
              <Button type="submit" loading={save.isPending}>
                {account.submit}
              </Button>
            </div>
            <p role="status">{save.isSuccess && account.passwordSaved}</p>
          </form>
        </Card>
      )}
      <Card title={account.sessions}>
        <p>{account.signOutEverywhereHelp}</p>
        <Button variant="default" loading={signOut.isPending} onClick={signOut.ask}>
          {account.signOutEverywhere}
        </Button>
        {signOut.question}
      </Card>
    </Page>
  );
}
