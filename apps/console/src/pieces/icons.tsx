import type { ReactNode } from 'react';

const LINE = { fill: 'none', strokeWidth: 1.4, strokeLinecap: 'round', strokeLinejoin: 'round' } as const;

/** The logo: a flag at the line. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" width={24} aria-hidden="true" {...LINE} strokeWidth={3}>
    <rect width="32" height="32" rx="7" fill="#0f6b5c" stroke="none" />
    <path stroke="#fff" d="M9 25V7M9 8h13l-3.5 4.5L22 17H9" />
  </svg>
);

const DRAWINGS = {
  home: <path d="M2.500 7 8 2.500 13.500 7v6.500h-4v-4h-3v4h-4z" />,
  applications: <path d="M3.500 1.500h9v13h-9zM5.500 8l1.800 1.800L10.800 6" />,
  print: <path d="M4.500 6V2.500h7V6M4.500 11.500h-2V6h11v5.500h-2M4.500 9.500h7v4h-7z" />,
  imports: <path d="M8 2v8m0 0L5 7m3 3 3-3M2.5 10.5v2a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-2" />,
  participants: (
    <>
      <circle cx="6" cy="5" r="2.5" />
      <path d="M1.5 13.5c0-2.5 2-4 4.500-4s4.500 1.500 4.500 4M10.500 2.800a2.500 2.500 0 0 1 0 4.400M12.500 9.900c1.300.600 2 1.900 2 3.600" />
    </>
  ),
  partners: (
    <path d="m1.500 7.500 3-3.500 3 1.500 3.500-1.500 3.500 3.500-4.500 5-2 .500-2-.500zM7.500 5.500 5.500 8l1.500 1 2.500-1.500 3 2.500" />
  ),
  events: <path d="M2.500 4h11v9.500h-11zM2.500 7h11M5.500 2v3M10.500 2v3" />,
  desk: <path d="M4 14V2.500M4 3h8.500l-2 2.750 2 2.750H4" />,
  developers: <path d="m5 4.500-3.500 3.500L5 11.500M11 4.500 14.500 8 11 11.500M9.200 3 6.800 13" />,
  people: (
    <>
      <circle cx="8" cy="5" r="2.750" />
      <path d="M2.500 14c0-3 2.500-4.750 5.500-4.750s5.500 1.750 5.500 4.750" />
    </>
  ),
  log: <path d="M3.500 1.500h9v13h-9zM6 5h4M6 8h4M6 11h2.500" />,
  places: (
    <path d="M1.500 4.500h13v2.250a1.250 1.250 0 0 0 0 2.500v2.250h-13v-2.250a1.250 1.250 0 0 0 0-2.500zM10 4.500v7" />
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.500" />
      <path d="m10.500 10.500 3.500 3.500" />
    </>
  ),
  scan: (
    <path d="M2 5V2.500h2.500M11.500 2.500H14V5M14 11v2.500h-2.500M4.500 13.500H2V11M5 5.500v5M8 5.500v5M11 5.500v5" />
  ),
  down: <path d="m4 6 4 4 4-4" />,
  up: <path d="m4 10 4-4 4 4" />,
  cross: <path d="m4 4 8 8M12 4l-8 8" />,
  left: <path d="m10 4-4 4 4 4" />,
  right: <path d="m6 4 4 4-4 4" />,
  file: <path d="M3.500 1.500h6l3 3v10h-9zM9 1.500v3.500h3.500" />,
  warning: <path d="M8 2 1.500 13.500h13zM8 6.500v3M8 11.500v.100" />,
  copy: <path d="M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3" />,
  check: <path d="m3 8.500 3.500 3.500L13 4.500" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof DRAWINGS;

/** Decorative: the text beside it has the same meaning. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg className="icon" viewBox="0 0 16 16" width={16} aria-hidden="true" {...LINE} stroke="currentcolor">
    {DRAWINGS[name]}
  </svg>
);
