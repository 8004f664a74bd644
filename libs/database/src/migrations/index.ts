import { Tables1795000000001 } from './1-tables';
import { Rules1795000000002 } from './2-rules';
import { RateWindows1795000000003 } from './3-rate-windows';
import { Search1795000000004 } from './4-search';
import { SearchIndexes1795000000005 } from './5-search-indexes';
import { BibHolders1795000000020 } from './20-bib-holders';
import { RaceDayTriggers1795000000021 } from './21-race-day-triggers';
import { RaceDayIndexes1795000000022 } from './22-race-day-indexes';
import { FillRaceDay1795000000023 } from './23-fill-race-day';
import { ImportAttempts1795000000030 } from './30-import-attempts';
import { OpenImports1795000000031 } from './31-open-imports';
import { KeysAndAudit1795000000050 } from './50-keys-and-audit';
import { ReferralsOfEntries1795000000060 } from './60-referrals-of-entries';
import { Units1795000000061 } from './61-units';
import { StoredMoney1795000000062 } from './62-stored-money';
import { ImportSource1795000000063 } from './63-import-source';
import { TrimmedIds1795000000064 } from './64-trimmed-ids';
import { SearchLocales1795000000065 } from './65-search-locales';
import { ChangeEvents1795000000070 } from './70-change-events';
import { AnnounceChanges1795000000071 } from './71-announce-changes';
import { Webhooks1795000000072 } from './72-webhooks';
import { EntryFilters1795000000090 } from './90-entry-filters';
import { Staff1795000000100 } from './100-staff';
import { BallotDraws1795000000110 } from './110-ballot-draws';
import { ReadCredits1795000000115 } from './115-read-credits';
import { ReferralCodes1795000000116 } from './116-referral-codes';
import { CancelledParticipants1795000000117 } from './117-cancelled-participants';
import { AcrossOrganizations1795000000120 } from './120-across-organizations';
import { EmptiedImportRows1795000000125 } from './125-emptied-import-rows';
import { RetentionInSteps1795000000126 } from './126-retention-in-steps';
import { ImportOptions1795000000130 } from './130-import-options';
import { DryRuns1795000000131 } from './131-dry-runs';
import { ForgetDryRuns1795000000132 } from './132-forget-dry-runs';
import { Workers1795000000135 } from './135-workers';
import { KeysWithNames1795000000136 } from './136-keys-with-names';
import { IdempotencyWithoutJobs1795000000137 } from './137-idempotency-without-jobs';
import { EntrySearch1795000000140 } from './140-entry-search';
import { EntrySearchIndex1795000000141 } from './141-entry-search-index';
import { SearchByView1795000000142 } from './142-search-by-view';
import { UndoneImports1795000000150 } from './150-undone-imports';
import { RequestLog1795000000151 } from './151-request-log';
import { DiscountCodeLists1795000000152 } from './152-discount-code-lists';
import { EntriesOfOccurrence1795000000154 } from './154-entries-of-occurrence';
import { OrganizationVersions1795000000155 } from './155-organization-versions';
import { TaggedParticipants1795000000160 } from './160-tagged-participants';
import { FillTaggedParticipants1795000000161 } from './161-fill-tagged-participants';

/** In order of execution. */
export const migrations = [
  Tables1795000000001,
  Rules1795000000002,
  RateWindows1795000000003,
  Search1795000000004,
  SearchIndexes1795000000005,
  ChangeEvents1795000000070,
  AnnounceChanges1795000000071,
  Webhooks1795000000072,
  BibHolders1795000000020,
  RaceDayTriggers1795000000021,
  RaceDayIndexes1795000000022,
  FillRaceDay1795000000023,
  ReferralsOfEntries1795000000060,
  EntryFilters1795000000090,
  KeysAndAudit1795000000050,
  Staff1795000000100,
  ImportAttempts1795000000030,
  OpenImports1795000000031,
  Units1795000000061,
  StoredMoney1795000000062,
  ImportSource1795000000063,
  TrimmedIds1795000000064,
  SearchLocales1795000000065,
  ImportOptions1795000000130,
  EntrySearch1795000000140,
  EntrySearchIndex1795000000141,
  ReadCredits1795000000115,
  Workers1795000000135,
  DryRuns1795000000131,
  ReferralCodes1795000000116,
  CancelledParticipants1795000000117,
  KeysWithNames1795000000136,
  IdempotencyWithoutJobs1795000000137,
  EmptiedImportRows1795000000125,
  RetentionInSteps1795000000126,
  AcrossOrganizations1795000000120,
  BallotDraws1795000000110,
  SearchByView1795000000142,
  ForgetDryRuns1795000000132,
  EntriesOfOccurrence1795000000154,
  UndoneImports1795000000150,
  RequestLog1795000000151,
  DiscountCodeLists1795000000152,
  TaggedParticipants1795000000160,
  FillTaggedParticipants1795000000161,
  OrganizationVersions1795000000155,
];
