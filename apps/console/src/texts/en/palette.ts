export const palette = {
  title: 'Search everything',
  open: 'Search',
  placeholder: 'Person, event, race, code, import or page',
  pages: 'Pages',
  searching: 'Searching …',
  none: 'Nothing found',
  failed: 'The search failed, so something may be missing. Try again.',
  command: 'Ctrl',
  shortcuts: 'Keyboard shortcuts',
  keys: {
    everything: 'Search people, events, races, codes, imports and pages',
    search: 'Search on this page',
    move: 'Move through what was found',
    choose: 'Open it',
    close: 'Close',
    help: 'Show these shortcuts',
  },
};
