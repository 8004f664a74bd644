import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import { theme } from '../src/theme.mjs';

const NAME = 'virtual:theme.css';

/**
 * The theme's CSS variables as a file. Mantine would write them into a `<style>` element, which the content security
 * policy forbids.
 */
export const themeStyles = () => ({
  name: 'theme-styles',
  resolveId: (id) => (id === NAME ? NAME : undefined),
  load(id) {
    if (id !== NAME) return undefined;
    const merged = mergeMantineTheme(DEFAULT_THEME, theme);
    return convertCssVariables(defaultCssVariablesResolver(merged), ':root');
  },
});
