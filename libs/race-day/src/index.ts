/**
 * Race day: the log of timing messages and race-day updates, and its projection into what participants show.
 *
 *   const messages = readTimingMessages(body);                          // api; throws 400
 *   await database.query(APPEND_TIMING, timingValues(caller, messages)); // durable: answer, and enqueue `race-day`
 *
 *   await database.transaction(async (manager) => {                     // worker
 *     await lockRaceDay(manager, organizationId);
 *     await applyPending(manager, organizationId, 2_000);
 *   });
 *
 *   await lockBibs(manager, organizationId, raceIds);                   // imports: before the first entry
 *   … log the bibs that they bring as applied messages, with `source` IMPORT or CATALOGUE
 *   await projectParticipants(manager, organizationId, participantIds);    // unless the entries show it already
 *   await applyWaiting(manager, organizationId, participantIds);        // and enqueue `race-day` after the commit
 *
 * What is locked, in this order: an organization's race day (workers only), its races' bibs, entries. The log's
 * rows are written by who holds the race day, or skipped where somebody does.
 */
export { applyPending, lockRaceDay } from './apply';
export { BIB_NUMBER, BIB_NUMBER_RULE } from './bib-number';
export { type HistoryMessage, historyOf, type RaceDayHistory } from './history';
export {
  APPEND_RACE_DAY_UPDATE,
  APPEND_TIMING,
  MOST_FIELD_TEXT,
  MOST_FIELDS,
  timingValues,
  UNIDENTIFIED,
} from './log';
export { lockBibs, projectParticipants } from './projection';
export { RaceDayService } from './race-day.service';
export { RaceDayMetrics, RaceDayMetricsModule } from './race-day-metrics';
export { RaceDayRunner } from './race-day-runner';
export { RaceDaySweeper } from './race-day-sweeper';
export { RaceDayReceipt, RaceDayUpdate } from './race-day-update.dto';
export { MOST_TIMING_MESSAGES, type ReadMessage, readTimingMessages } from './read-timing-messages';
export { tellHistory } from './tell-history';
export { TimingService } from './timing.service';
export { TimingMessage, TimingReceipt } from './timing-message.dto';
export { applyWaiting, FORGET_WAITING, PENDING, REOPEN_WAITING } from './waiting';
