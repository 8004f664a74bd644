/** The `Date` of a response tells whole seconds. */
const EXACT_MS = 1_000;

let last = 0;
/** The least that the clock of this device was ahead of a response when it arrived: responses are under way for a while. */
let ahead = Number.POSITIVE_INFINITY;

export function hearDate(headers: Headers): void {
  last = Date.now() - Date.parse(headers.get('date') ?? '');
  if (last < ahead) ahead = last;
}

/** The time by the server's clock, as far as a response told it; never later, if that was sooner ago than the clock was set. */
export function serverTime(): Date {
  const isWrong = Number.isFinite(ahead) && (ahead < 0 || ahead > EXACT_MS);
  return new Date(Date.now() - (isWrong ? ahead : 0));
}

/** After a response that a time is in the future: the clock was set meanwhile. @returns that response's own time */
export function serverTimeAgain(): Date {
  ahead = last;
  return new Date(Date.now() - (Number.isFinite(last) ? last : 0));
}
