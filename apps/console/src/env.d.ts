/// <reference types="vite/client" />

declare module 'virtual:theme.css';

declare module 'virtual:import-fields' {
  import type { ImportShape } from './upload/shapes';

  const shapes: Record<string, ImportShape>;
  export default shapes;
}
