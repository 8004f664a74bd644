/**
 * Race day: the log of timing messages and race-day updates, and its projection to participants.
 *
 *   const messages = readTimingMessages(body);                          // api; throws 400
 *   await APPEND_TIMING.rows(database, timingValues(caller, messages)); // durable: answer, and enqueue `race-day`
 *
 *   do {                                                                // worker
 *     await raceDayRound((step) => database.transaction(step), organizationId, 1_000);
 *   } while (await hasRaceDayWork(dataSource.manager, organizationId));
 *
 *   await lockBibs(manager, organizationId, raceIds);                   // imports: before the first entry
 *   … log the bibs that they bring as applied messages, with `source` IMPORT or CATALOGUE
 *   await projectParticipants(manager, organizationId, participantIds);    // unless the entries show it already
 *   await applyWaiting(manager, organizationId, participantIds);        // and enqueue `race-day` after the commit
 *
 *   await lockRaceDay(manager, organizationId);                        // staff: a bib that is checked before it is logged
 *   await checkBib(manager, organizationId, participantId, bibNumber);
 *   await assignBibs(manager, organizationId, wanted);                 // the same for many; outcomes instead of errors
 *
 * Triggers record each applied claim in `bib_claims`, each new field in `race_day_fields`, and each new participant in
 * `race_day_tasks`. The worker links the claims (`linkClaims`), from which `bibHolderOf` reads the bib holder at a time.
 *
 * CONTRIBUTING.md ("Locks and transactions") gives the lock order.
 */
export { hasRaceDayWork, lockRaceDay, raceDayRound } from './apply';
export { type AssignedBib, assignBibs } from './assign-bibs';
export { reaches } from './bib-holder.sql';
export { checkBib } from './checked-bib';
export { raceDayFeed } from './feed';
export { foldLog } from './fold-log';
export { historyOf, raceDayStateOf } from './history';
export { leaveRace } from './leave-race';
export { APPEND_RACE_DAY_UPDATE, APPEND_TIMING, timingValues } from './log';
export { RACE_DAY_MESSAGES_OF_PARTICIPANT } from './messages-of-participant.resource';
export { lockBibs, projectParticipants } from './projection';
export { RaceDayDomainModule } from './race-day.module';
export { RaceDayService } from './race-day.service';
export type { RaceDayLog } from './race-day-log.dto';
export { RaceDayMetricsModule } from './race-day-metrics';
export { RaceDayRunner } from './race-day-runner';
export { RaceDayReceipt, RaceDayUpdate, StaffRaceDayUpdate } from './race-day-update.dto';
export { MOST_TIMING_MESSAGES, type ReadMessage, readTimingMessages } from './read-timing-messages';
export { tellHistory } from './tell-history';
export { TimingService } from './timing.service';
export { TimingMessage, TimingReceipt } from './timing-message.dto';
export { TIMING_STATUS } from './timing-status';
export { AwaitedSubject, TimingStatus, UnidentifiedMessage } from './timing-status.dto';
export { UNIDENTIFIED } from './unidentified.resource';
export { applyWaiting, FORGET_WAITING, ORGANIZATIONS_WITH_WORK } from './waiting';
