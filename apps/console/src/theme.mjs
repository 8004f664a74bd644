/** Our changes of Mantine's theme. The build writes its CSS variables to a file. */

/** Pine, the accent color: from a tint to almost black. */
const pine = [
  '#e9f6f3',
  '#d3ece6',
  '#a6d9ce',
  '#75c4b4',
  '#4bb09d',
  '#279783',
  '#157f6d',
  '#0f6b5c',
  '#0c574b',
  '#08423a',
];

/** Greys, tinted with the accent color. */
const gray = [
  '#f7f9f8',
  '#eff2f1',
  '#e2e7e5',
  '#d0d7d5',
  '#b3bdba',
  '#8b9794',
  '#66736f',
  '#4d5955',
  '#333d3a',
  '#1b2321',
];

const dark = [
  '#e6ebe9',
  '#c3ccc9',
  '#9da9a5',
  '#7e8a87',
  '#46514e',
  '#343d3b',
  '#28302e',
  '#191f1e',
  '#141918',
  '#0e1211',
];

/** Of buttons that remove, in both themes: the last two under the pointer. */
const danger = [...Array(8).fill('#b42318'), '#951c13', '#951c13'];

/** @type {import('@mantine/core').MantineThemeOverride} */
export const theme = {
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  colors: { pine, gray, dark, danger },
  black: '#1b2321',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    // Fields of a line are level, with and without help.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] },
      styles: { label: { marginBottom: 4 }, description: { fontSize: '12.5px', lineHeight: 1.4 } },
    },
    Menu: {
      // The placeholder is no child that a menu may have.
      defaultProps: {
        position: 'bottom-end',
        transitionProps: { duration: 0 },
        withInitialFocusPlaceholder: false,
      },
    },
    Modal: {
      defaultProps: { radius: 'lg', transitionProps: { duration: 0 } },
      styles: { title: { overflowWrap: 'anywhere', fontSize: 16, fontWeight: 620 } },
    },
    NavLink: {
      defaultProps: { p: '7px 10px', bdrs: 6 },
      styles: { label: { fontSize: 14, overflowWrap: 'anywhere' } },
    },
    // The choices stay when the page is scrolled, by a keyboard on the screen for example, and the field leaves the screen.
    Select: { defaultProps: { allowDeselect: false, comboboxProps: { hideDetached: false } } },
  },
};
