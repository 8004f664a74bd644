import type { StaffDiscountCode } from '../api';
import { Badge } from '../pieces';
import { serverTime } from '../server-clock';
import { useTexts } from '../texts';

type CodeState = 'VALID' | 'EXPIRED' | 'NOT_YET' | 'USED_UP';

function stateOf({ startDateTime, endDateTime, usesLeft }: StaffDiscountCode): CodeState {
  const now = serverTime().getTime();
  if (endDateTime && Date.parse(endDateTime) <= now) return 'EXPIRED';
  if (usesLeft !== null && usesLeft <= 0) return 'USED_UP';
  if (startDateTime && Date.parse(startDateTime) > now) return 'NOT_YET';
  return 'VALID';
}

/** Whether a discount code can be used now. */
export function CodeState({ code }: { code: StaffDiscountCode }) {
  const { events } = useTexts();
  const state = stateOf(code);
  return <Badge tone={state === 'VALID' ? 'good' : 'plain'}>{events.codeStates[state]}</Badge>;
}
