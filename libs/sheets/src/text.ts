import { type Cell, textOf, trimmed as trimmedText } from './sheet';

/** The text of a cell without what nobody sees at its ends. Inside it stays. */
export const trimmed = (cell: Cell | undefined): string => trimmedText(textOf(cell));
