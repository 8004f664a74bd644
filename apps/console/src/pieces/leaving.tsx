import { useEffect, useLayoutEffect, useState } from 'react';
import type { AroundNavHandler } from 'wouter';
import { useTexts } from '../texts';
import { Confirm } from './confirm';
import { useLeaveWarning } from './use-leave-warning';

type Go = () => void;
/** The page with unsaved changes. */
let held: { ask(go: Go): void; href: string } | undefined;
const pathOf = (href: string) => new URL(href, location.href).pathname;

/** Navigation within the console, which a page with unsaved changes holds up. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  const go = () => navigate(to, options);
  if (held && pathOf(to) !== location.pathname) held.ask(go);
  else go();
};

// Registered before the router's own listener, which reads the address at once: the browser has moved already, so come back first.
addEventListener('popstate', (event) => {
  if (!held || location.pathname === pathOf(held.href)) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', held.href);
  held.ask(() => {
    held = undefined;
    history.back();
  });
});

/**
 * Asks before the page is left, also by the buttons of the browser. Render what it returns.
 *
 * @param isKept whether this browser keeps the changes
 */
export function useLeaveQuestion(dirty: boolean, isKept: boolean) {
  const { leaving } = useTexts();
  const [waiting, setWaiting] = useState<Go>();
  useLeaveWarning(dirty);
  // Gone before anything else navigates that takes the place of the page, such as the sign-in.
  useLayoutEffect(() => {
    if (!dirty) return;
    held = { ask: (go) => setWaiting(() => go), href: location.href };
    return () => {
      held = undefined;
    };
  }, [dirty]);
  // The part of the page that is shown is in the address, too.
  useEffect(() => {
    if (held) held.href = location.href;
  });
  return (
    waiting && (
      <Confirm
        title={leaving.title}
        action={leaving.leave}
        keep={leaving.stay}
        onConfirm={waiting}
        onClose={() => setWaiting(undefined)}
      >
        <p>{leaving.text(isKept)}</p>
      </Confirm>
    )
  );
}
