import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { Redirect } from 'wouter';
import { type BrowserClient, clientOf, type StaffIdentity, type StaffRole, StartlineError } from '../api';
import { PAGES, type PagePath } from '../pages';
import { Problem } from '../pieces/problem';
import { queries } from '../queries';
import { forget, remember, rememberedOrganizations } from './remembered';

interface Session {
  me: StaffIdentity;
  organizationId: string;
  api: BrowserClient;
  may(...roles: StaffRole[]): boolean;
  /** Whether the role of the member can use a page. */
  opens(page: PagePath): boolean;
  /** Deletes the state of an ended session in this browser. */
  leave(): void;
}

const Context = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error('There is no session around this component');
  return session;
}

/** After single sign-on the fragment contains the organization's id, which this browser may not know yet. */
function arrivedIn(): string | undefined {
  const id = new URLSearchParams(location.hash.slice(1)).get('organization') ?? undefined;
  if (id) history.replaceState(history.state, '', location.pathname + location.search);
  return id;
}

/** Its children act in the organization of the address. */
export function SessionProvider({ slug, children }: { slug: string; children: ReactNode }) {
  const [arrived] = useState(arrivedIn);
  const organizationId = rememberedOrganizations().find((each) => each.slug === slug)?.id ?? arrived;
  const signIn = `~/console/sign-in?${new URLSearchParams({ organization: slug, next: location.pathname + location.search })}`;
  const { data: me, error } = useQuery({
    queryKey: [organizationId, 'me'],
    queryFn: ({ signal }) => clientOf(organizationId ?? '').get('/console/v1/me', { signal }),
    enabled: organizationId !== undefined,
    refetchInterval: 60_000,
  });
  useEffect(() => {
    if (me) remember(me.organization);
  }, [me]);
  const session = useMemo(
    () =>
      me &&
      organizationId && {
        me,
        organizationId,
        api: clientOf(organizationId),
        may: (...roles: StaffRole[]) => roles.includes(me.role),
        opens: (page: PagePath) => PAGES[page][me.role],
        leave() {
          forget(organizationId);
          queries.removeQueries({ queryKey: [organizationId] });
          location.assign('/console/sign-in');
        },
      },
    [me, organizationId],
  );
  // 403: this browser has sessions of other organizations only.
  const ended = error instanceof StartlineError && (error.status === 401 || error.status === 403);
  if (!organizationId || ended) return <Redirect to={signIn} replace />;
  if (error && !me) return <Problem error={error} page />;
  return session ? <Context value={session}>{children}</Context> : null;
}
