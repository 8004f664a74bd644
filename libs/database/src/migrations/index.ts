import { Tables1795000000001 } from './1-tables';
import { Rules1795000000002 } from './2-rules';
import { RateWindows1795000000003 } from './3-rate-windows';
import { Search1795000000004 } from './4-search';
import { SearchIndexes1795000000005 } from './5-search-indexes';
import { ImportAttempts1795000000030 } from './30-import-attempts';
import { OpenImports1795000000031 } from './31-open-imports';
import { KeysAndAudit1795000000050 } from './50-keys-and-audit';

/** In the order they run. */
export const migrations = [
  Tables1795000000001,
  Rules1795000000002,
  RateWindows1795000000003,
  Search1795000000004,
  SearchIndexes1795000000005,
  KeysAndAudit1795000000050,
  ImportAttempts1795000000030,
  OpenImports1795000000031,
];
