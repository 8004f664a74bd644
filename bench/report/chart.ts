import type { Curve, Result } from './result';

const WIDTH = 860;
const LEFT = 230;
const RIGHT = 110;
const BAR = 22;
const COLOURS = ['#1463b5', '#9aa7b4', '#d08a5a', '#7a5a9e', '#2b7a3d'];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const label = (x: number, y: number, words: string, more = ''): string =>
  `<text x="${x}" y="${y}" ${more}>${escaped(words)}</text>`;

const shown = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

interface Panel {
  height: number;
  body: string;
}

function bars({ title, candidates = [] }: Result): Panel {
  const most = Math.max(...candidates.map(({ median }) => median.perSecond));
  const rows = candidates.map(({ name, median: { perSecond } }, i) => {
    const y = 34 + i * BAR;
    const width = ((WIDTH - LEFT - RIGHT) * perSecond) / most;
    return [
      label(LEFT - 8, y + 12, name, 'text-anchor="end"'),
      `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 6}" fill="${COLOURS[i % COLOURS.length]}"/>`,
      label(LEFT + width + 6, y + 12, shown(perSecond), 'fill="#666"'),
    ].join('');
  });
  return {
    height: 46 + candidates.length * BAR,
    body: [label(8, 20, `${title}: requests a second`, 'font-weight="600"'), ...rows].join('\n'),
  };
}

/** Curves by size, both axes from the smallest to the largest value; sizes are logarithmic. */
function curves({ title, curves: drawn }: Result): Panel {
  const { unit, of } = drawn as { unit: string; of: Curve[] };
  const points = of.flatMap((curve) => curve.points);
  const [first, last] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
  const top = Math.max(...points.map(({ y }) => y)) * 1.1;
  const [height, width, left] = [150, WIDTH - 80 - 190, 80];
  const at = ({ x, y }: { x: number; y: number }) => [
    left + (width * Math.log(x / first)) / Math.max(Math.log(last / first), 1e-9),
    34 + height - (height * y) / top,
  ];
  const lines = of.map((curve, i) => {
    const path = curve.points
      .map((point) =>
        at(point)
          .map((n) => n.toFixed(1))
          .join(','),
      )
      .join(' ');
    const colour = COLOURS[i % COLOURS.length];
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${label(left + width + 12, 46 + i * 18, curve.name, `fill="${colour}"`)}`;
  });
  const sizes = [...new Set(points.map(({ x }) => x))].map((x) =>
    label(
      at({ x, y: 0 })[0] as number,
      34 + height + 18,
      x.toLocaleString('en'),
      'text-anchor="middle" fill="#666"',
    ),
  );
  const grid = [0, 0.5, 1].map((part) => {
    const [, y] = at({ x: first, y: part * top }) as [number, number];
    return `<line x1="${left}" x2="${left + width}" y1="${y}" y2="${y}" stroke="#ddd"/>${label(left - 8, y + 4, shown(part * top), 'text-anchor="end" fill="#666"')}`;
  });
  return {
    height: height + 70,
    body: [label(8, 20, `${title}: ${unit}`, 'font-weight="600"'), ...grid, ...lines, ...sizes].join('\n'),
  };
}

/** Panels below each other: bars for compared candidates, curves for sizes. */
export function chart(results: Result[]): string {
  const panels = results.flatMap((result) => [
    ...(result.candidates?.length ? [bars(result)] : []),
    ...(result.curves ? [curves(result)] : []),
  ]);
  let y = 0;
  const groups = panels.map(({ height, body }) => {
    const group = `<g transform="translate(0 ${y})">${body}</g>`;
    y += height;
    return group;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" font-family="system-ui, sans-serif" font-size="13" fill="#222">
<title>${escaped(results.map(({ title }) => title).join(', '))}</title>
<rect width="100%" height="100%" fill="#fff"/>
${groups.join('\n')}
</svg>
`;
}
