export interface Curve {
  name: string;
  colour: string;
  values: number[];
}

export interface Panel {
  title: string;
  unit: string;
  curves: Curve[];
}

const WIDTH = 860;
const HEIGHT = 170;
const LEFT = 64;
const RIGHT = 150;
const TOP = 34;
const BOTTOM = 26;

/** A round number at the end of an axis: 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return ([1, 2, 5, 10].find((step) => step * power >= value) as number) * power;
}

const label = (x: number, y: number, text: string, more = '') =>
  `<text x="${x}" y="${y}" ${more}>${text}</text>`;

function panel({ title, unit, curves }: Panel, minutes: number): string {
  const top = roundUp(Math.max(1, ...curves.flatMap(({ values }) => values)) * 1.02);
  const width = WIDTH - LEFT - RIGHT;
  const height = HEIGHT - TOP - BOTTOM;
  const y = (value: number) => TOP + height - (value / top) * height;
  const grid = [0, 0.5, 1].map((part) => {
    const at = y(part * top);
    return `<line x1="${LEFT}" x2="${LEFT + width}" y1="${at}" y2="${at}" stroke="#ddd"/>${label(LEFT - 8, at + 4, String(part * top), 'text-anchor="end" fill="#666"')}`;
  });
  const lines = curves.map(({ name, colour, values }, i) => {
    const points = values.map((value, at) => {
      const x = LEFT + (at / Math.max(1, values.length - 1)) * width;
      return `${x.toFixed(1)},${y(value).toFixed(1)}`;
    });
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>${label(LEFT + width + 12, TOP + 12 + i * 18, name, `fill="${colour}"`)}`;
  });
  const ends = [
    label(LEFT, HEIGHT - 8, '0', 'fill="#666"'),
    label(LEFT + width, HEIGHT - 8, `${minutes} min`, 'text-anchor="end" fill="#666"'),
  ];
  return [
    label(LEFT, 20, `${title} <tspan fill="#666">${unit}</tspan>`, 'font-weight="600"'),
    ...grid,
    ...lines,
    ...ends,
  ].join('\n');
}

/** Panels below each other with the same time axis. */
export function picture(panels: Panel[], minutes: number): string {
  const height = panels.length * HEIGHT;
  const groups = panels.map(
    (each, i) => `<g transform="translate(0 ${i * HEIGHT})">${panel(each, minutes)}</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#222">
<title>${panels.map(({ title }) => title).join(', ')}</title>
<rect width="100%" height="100%" fill="#fff"/>
${groups.join('\n')}
</svg>
`;
}
