import uPlot from 'uplot';

import { describeChange, type Line, type Plot, type Point } from './series';

export const CHART_HEIGHT_PX = 170;
const POINT_RADIUS_PX = 3.5;
const MARGIN_SHARE = 0.08;
/** More space above the highest value, for its flag. */
const TOP_MARGIN_SHARE = 0.2;
/** And for the words about a change of range or method above the flag. */
const CHANGE_MARGIN_SHARE = 0.42;

/** Reads the theme's colors at the chart, which may be light or dark. */
function readColors(element: Element) {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    line: read('--brand'),
    band: `color-mix(in srgb, ${read('--brand')} 14%, transparent)`,
    grid: read('--line'),
    text: read('--text'),
    quiet: read('--text-quiet'),
    danger: read('--danger-text'),
    ground: read('--panel'),
  };
}

/**
 * Builds the data of a chart: times, then the values of each line. A result without a number
 * interrupts its line; a time without a result does not.
 */
export function buildData({ lines }: Plot): uPlot.AlignedData {
  const times = [...new Set(lines.flatMap(({ points }) => points.map(({ time }) => time)))];
  times.sort((a, b) => a - b);
  return [
    times,
    ...lines.map(({ points }) => {
      const values = new Map(points.map(({ time, result }) => [time, result.number]));
      return times.map((time) => values.get(time));
    }),
  ];
}

/** The range of the vertical axis: all values, and the limits by which they were judged. */
function computeScale(plot: Plot): [number, number] {
  const results = plot.lines.flatMap(({ points }) => points.map(({ result }) => result));
  const numbers = results
    .flatMap(({ number, low, high }) => [number, low, high])
    .filter((number) => number !== null);
  const topShare = results.some(describeChange) ? CHANGE_MARGIN_SHARE : TOP_MARGIN_SHARE;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const extent = high - low || Math.abs(high) || 1;
  return [low - extent * MARGIN_SHARE, high + extent * topShare];
}

/** Draws the reference range behind a line; each value's range reaches to the next value. */
function drawBand(u: uPlot, { points }: Line, color: string): void {
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.fillStyle = color;
  points.forEach(({ time, result: { low, high } }, index) => {
    if (low === null && high === null) return;
    const next = points[index + 1];
    const from = index === 0 && points.length === 1 ? left : u.valToPos(time, 'x', true);
    const to = next ? u.valToPos(next.time, 'x', true) : left + width;
    const upper = high === null ? top : u.valToPos(high, 'y', true);
    const lower = low === null ? top + height : u.valToPos(low, 'y', true);
    u.ctx.fillRect(from, upper, to - from, lower - upper);
  });
  u.ctx.restore();
}

/** Draws what a line cannot show: flags, comparison signs, and changes of range or method. */
function drawMarks(u: uPlot, { points }: Line, colors: ReturnType<typeof readColors>): void {
  const { ctx } = u;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.font = `${11 * scale}px Inter, system-ui, sans-serif`;
  ctx.textAlign = 'center';
  // uPlot sets another baseline for its own texts. With this one, texts stand above a position.
  ctx.textBaseline = 'alphabetic';
  for (const { time, result } of points) {
    const x = u.valToPos(time, 'x', true);
    const change = describeChange(result);
    if (change) {
      ctx.strokeStyle = colors.quiet;
      ctx.setLineDash([3 * scale, 3 * scale]);
      ctx.beginPath();
      ctx.moveTo(x, u.bbox.top);
      ctx.lineTo(x, u.bbox.top + u.bbox.height);
      ctx.stroke();
      ctx.setLineDash([]);
      ctx.fillStyle = colors.quiet;
      ctx.fillText(change, x, u.bbox.top + 10 * scale);
    }
    if (result.number === null) continue;
    const y = u.valToPos(result.number, 'y', true);
    const color = result.isAbnormal ? colors.danger : colors.line;
    ctx.beginPath();
    ctx.arc(x, y, POINT_RADIUS_PX * scale, 0, 2 * Math.PI);
    // A value with a comparison sign is not exactly at its point, so the point is open.
    ctx.fillStyle = result.sign ? colors.ground : color;
    ctx.strokeStyle = color;
    ctx.lineWidth = 1.5 * scale;
    ctx.fill();
    ctx.stroke();
    const text = [result.sign, result.isAbnormal ? result.flag : ''].filter(Boolean).join(' ');
    ctx.fillStyle = color;
    ctx.fillText(text, x, y - 7 * scale);
  }
  ctx.restore();
}

interface ChartOptions {
  plot: Plot;
  width: number;
  /** The first and last time of all charts, in seconds. */
  period: readonly [number, number];
  /** Elements from which the theme's colors are read. */
  element: Element;
  onHover: (time: number | null) => void;
}

const DAY_SECONDS = 86_400;

/** The options of a chart with true collection times on its axis. */
export function buildOptions({ plot, width, period, element, onHover }: ChartOptions) {
  const colors = readColors(element);
  const axis = { stroke: colors.quiet, grid: { stroke: colors.grid, width: 1 } };
  const margin = Math.max((period[1] - period[0]) * 0.03, DAY_SECONDS);
  return {
    width,
    height: CHART_HEIGHT_PX,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
    // Times are the lab's wall clock.
    tzDate: (time: number) => uPlot.tzDate(new Date(time * 1000), 'Etc/UTC'),
    scales: {
      x: { time: true, range: () => [period[0] - margin, period[1] + margin] },
      y: { range: () => computeScale(plot) },
    },
    axes: [axis, { ...axis, size: 56 }],
    series: [
      {},
      ...plot.lines.map(() => ({
        stroke: colors.line,
        width: 1.5,
        spanGaps: false,
        points: { show: false },
      })),
    ],
    hooks: {
      drawClear: [(u: uPlot) => plot.lines.forEach((line) => drawBand(u, line, colors.band))],
      draw: [(u: uPlot) => plot.lines.forEach((line) => drawMarks(u, line, colors))],
      setCursor: [
        (u: uPlot) => {
          const { idx } = u.cursor;
          onHover(typeof idx === 'number' ? (u.data[0][idx] ?? null) : null);
        },
      ],
    },
  } satisfies uPlot.Options;
}

/** The results of a chart at a time. */
export const findPoints = ({ lines }: Plot, time: number): Point[] =>
  lines.flatMap(({ points }) => points.filter((point) => point.time === time));
