import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import 'virtual:theme.css';
import './styles/components.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/pieces.css';
import './styles/table.css';
import './styles/grid.css';
import './styles/screens.css';
import './styles/print.css';
import { createTheme, localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { App } from './app';
import { aroundNav, Boundary } from './pieces';
import { queries } from './queries';
import { reloadAfterBuild } from './reload-after-build';
import { TextsProvider } from './texts';
import { theme } from './theme.mjs';

if (import.meta.env.MODE === 'development') void reloadAfterBuild();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <MantineProvider
      theme={createTheme(theme)}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: 'startline.theme' })}
      // Styles come from files: the content security policy forbids `<style>` elements.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <TextsProvider>
        <QueryClientProvider client={queries}>
          <Router base="/console" aroundNav={aroundNav}>
            <Boundary>
              <App />
            </Boundary>
          </Router>
        </QueryClientProvider>
      </TextsProvider>
    </MantineProvider>,
  );
}
