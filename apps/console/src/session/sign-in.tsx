import { Button, Divider, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { anonymous, StartlineError } from '../api';
import { EMAIL_INPUT } from '../pieces/email';
import { Alert, Problem } from '../pieces/problem';
import { useTexts } from '../texts';
import { Entrance } from './entrance';
import { remember, rememberedOrganizations } from './remembered';
import { useSignInOptions } from './use-sign-in-options';

export function SignIn() {
  const { account, signIn, participants } = useTexts();
  const [search] = useSearchParams();
  const [organization, setOrganization] = useState(
    search.get('organization') ?? rememberedOrganizations()[0]?.slug ?? '',
  );
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const next = search.get('next') ?? '';
  const failure = search.get('failure');
  const options = useSignInOptions();
  const enter = useMutation({
    mutationFn: () => anonymous.post('/console/v1/session', { body: { organization, email, password } }),
    onSuccess: (me) => {
      remember(me.organization);
      const home = `/console/o/${me.organization.slug}`;
      // Only an address of this organization, never of another site.
      location.replace(next.startsWith(`${home}/`) ? next : home);
    },
  });
  const forgotten = useMutation({
    mutationFn: (body: { organization: string; email: string }) =>
      anonymous.post('/console/v1/session/forgotten', { body }),
  });
  const isRefused = enter.error instanceof StartlineError && enter.error.status === 403;
  const [leaving, setLeaving] = useState(false);
  const leave = () => {
    setLeaving(true);
    location.assign(`/console/sign-in/provider?${new URLSearchParams({ organization, next })}`);
  };
  const passwords = options?.passwords ?? true;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (passwords) enter.mutate();
    else leave();
  };
  return (
    <Entrance title={signIn.title}>
      {next && !enter.error && !failure && <p>{signIn.ended}</p>}
      {isRefused ? (
        <Alert title={signIn.refused}>
          <p>{signIn.refusedAdvice}</p>
        </Alert>
      ) : (
        enter.error && <Problem error={enter.error} />
      )}
      {forgotten.error && <Problem error={forgotten.error} />}
      {forgotten.isSuccess && <p role="status">{signIn.mailed(forgotten.variables.email)}</p>}
      {failure && !enter.error && (
        <Alert title={signIn.providerFailed}>
          <p>{signIn.failures[failure] ?? signIn.failures.PROVIDER}</p>
        </Alert>
      )}
      <form className="fields" onSubmit={submit}>
        <TextInput
          label={signIn.organization}
          description={signIn.organizationHelp}
          autoComplete="organization"
          required
          value={organization}
          onChange={({ target }) => setOrganization(target.value)}
        />
        {options?.singleSignOn && (
          <Button
            variant={passwords ? 'default' : 'filled'}
            type={passwords ? 'button' : 'submit'}
            fullWidth
            size="md"
            disabled={!organization.trim()}
            loading={leaving}
            onClick={passwords ? leave : undefined}
          >
            {signIn.provider}
          </Button>
        )}
        {options?.singleSignOn && passwords && <Divider label={signIn.or} />}
        {passwords && (
          <>
            <TextInput
              label={participants.email}
              {...EMAIL_INPUT}
              autoComplete="username"
              required
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
            <PasswordInput
              label={account.password}
              visibilityToggleButtonProps={{ 'aria-label': account.showPassword }}
              autoComplete="current-password"
              required
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
            <Button type="submit" fullWidth size="md" loading={enter.isPending || enter.isSuccess}>
              {signIn.title}
            </Button>
            {options?.mail && (
              <Button
                variant="subtle"
                fullWidth
                disabled={!organization.trim() || !email.includes('@')}
                loading={forgotten.isPending}
                onClick={() => forgotten.mutate({ organization, email })}
              >
                {signIn.mailLink}
              </Button>
            )}
          </>
        )}
      </form>
      <p className="dim">{passwords ? signIn.noPassword : signIn.linkToo}</p>
    </Entrance>
  );
}
