import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { anonymous } from '../api';
import { Problem } from '../pieces/problem';
import { useTexts } from '../texts';
import { Entrance } from './entrance';
import { remember, rememberedOrganizations } from './remembered';

export function SignIn() {
  const { account, signIn } = useTexts();
  const [search] = useSearchParams();
  const [organization, setOrganization] = useState(
    search.get('organization') ?? rememberedOrganizations()[0]?.slug ?? '',
  );
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const next = search.get('next') ?? '';
  const enter = useMutation({
    mutationFn: () => anonymous.post('/console/v1/session', { body: { organization, email, password } }),
    onSuccess: (me) => {
      remember(me.organization);
      const home = `/console/o/${me.organization.slug}`;
      // Only an address of this organization, never of another site.
      location.replace(next.startsWith(`${home}/`) ? next : home);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    enter.mutate();
  };
  return (
    <Entrance title={signIn.title}>
      {next && !enter.error && <p>{signIn.ended}</p>}
      {enter.error && <Problem error={enter.error} />}
      <form className="fields" onSubmit={submit}>
        <TextInput
          label={signIn.organization}
          description={signIn.organizationHelp}
          autoComplete="organization"
          required
          value={organization}
          onChange={({ target }) => setOrganization(target.value)}
        />
        <TextInput
          label={signIn.email}
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <PasswordInput
          label={signIn.password}
          visibilityToggleButtonProps={{ 'aria-label': account.showPassword }}
          autoComplete="current-password"
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        <Button type="submit" fullWidth size="md" loading={enter.isPending || enter.isSuccess}>
          {signIn.submit}
        </Button>
      </form>
      <p className="note">{signIn.noPassword}</p>
    </Entrance>
  );
}
