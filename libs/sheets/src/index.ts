/**
 * Tables that people have: one reader and one recogniser for the console, the client, the command line and catalogue files. Everything
 * here is a pure function of bytes, and runs in browsers too. Wrong is worse than refused: what is not certain is a mistake of its row.
 *
 * const sheet = await readSheet(bytes);                                  // .csv, .tsv, .txt, .xlsx, gzip
 * const columns = recognise(sheet, kind);                                // the path of a field by column
 * const plan = planOf(sheet, kind, { columns }, { today: '2027-03-20' }); // import rows, mistakes, open questions
 * lineOf(['=1+1', 'Ada']);                                               // a line that reads as it was written
 */
export { currencyOf, type DecimalSign } from './amounts';
export { type FormField, withAnswers } from './answers';
export { type Choices, choiceOf, type Open, READINGS, type Reading, wordsOfReading } from './choices';
export { ADDED, type Mapping, recognise, similarTo } from './columns';
export type { Conversion } from './conversions';
export { placeIn } from './countries';
export { UNITS } from './distances';
export { type Kind, kindOf, missingOf, type SheetField, withAmounts } from './field';
export { flat } from './flat';
export { lineOf, MARK, safe, unsafe } from './formulas';
export { completed, mappingFor, mappingIn, WrongMapping } from './mapping';
export { type Candidate, exactly, type Lookups, type Match, plain } from './match-values';
export { nameOfField } from './names';
export { NUMBERED_BY, type Numbering } from './numbering';
export {
  columnFor,
  type FileMapping,
  type Item,
  identityOf,
  namesIn,
  namesOf,
  type Plan,
  planOf,
  type Question,
  type StoredValues,
} from './plan';
export { type Body, put } from './put';
export { readSheet } from './read-sheet';
export {
  ENCODINGS,
  type Encoding,
  isBlank,
  LIMITS,
  type Notice,
  type OpenNotice,
  openNotices,
  type ReadOptions,
  type Sheet,
  type SheetRow,
  textOf,
  UnreadableSheet,
} from './sheet';
export { FREE, type ImportKind, targetAt } from './targets';
export {
  contradicts,
  type Decision,
  decide,
  type Mistake,
  readValue,
  UUID,
} from './values';
export { type WorkbookCell, workbook } from './workbook';
