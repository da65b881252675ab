import { Button } from '@blueprintjs/core';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import { ExportIcon } from '../../../components/icons';
import { toasts } from '../../../components/toasts';
import { useDevice } from '../../../device';
import { formatDateTime } from '../../../lib/dateTimes';
import { observeSize } from '../../../lib/observeSize';
import { buildData, buildOptions, findPoints } from './chartOptions';
import styles from './cumulative.module.css';
import { drawPicture } from './picture';
import { describeChange, describeValue, listTimes, type Plot } from './series';

interface TrendChartsProps {
  plots: readonly Plot[];
  /** Who the picture is about: name, identifier, birth date. */
  patient: string;
}

/**
 * A chart per selected test; all share one time axis. Hovering, or the slider, shows the values at
 * a time. Screen readers get a table of all values.
 */
export default function TrendCharts({ plots, patient }: TrendChartsProps) {
  const device = useDevice();
  const sliderId = useId();
  const charts = useRef(new Map<string, HTMLElement>());
  const times = listTimes(plots);
  const [chosenTime, setChosenTime] = useState<number | null>(null);
  const chosenIndex = times.findIndex(({ time }) => time === chosenTime);
  const shownTime = times[chosenIndex === -1 ? times.length - 1 : chosenIndex];
  const [first, last] = [times[0], times.at(-1)];
  if (!shownTime || !first || !last) return null;
  const savePicture = () => {
    const pictures = plots.map((plot) => ({
      title: [plot.name, plot.unit].filter(Boolean).join(', '),
      canvas: charts.current.get(plot.key)?.querySelector('canvas') ?? null,
    }));
    drawPicture(patient, pictures)
      .then((base64) =>
        device.openFile({
          base64,
          mediaType: 'image/png',
          name: 'cumulative-results.png',
          isSaved: true,
        }),
      )
      .catch(toasts.failure);
  };
  const describe = (plot: Plot): string =>
    findPoints(plot, shownTime.time)
      .map(({ result }) => describeValue(result))
      .join('; ') || 'no result';
  return (
    <section className={styles['charts']} aria-label="Line chart">
      <div className={styles['head']}>
        <h2>{formatDateTime(shownTime.date)}</h2>
        <Button size="small" variant="outlined" icon={<ExportIcon />} onClick={savePicture}>
          Save Picture
        </Button>
      </div>
      {plots.map((plot) => (
        <figure key={plot.key} style={{ margin: 0 }}>
          <figcaption className={styles['head']}>
            <h3>{[plot.name, plot.unit].filter(Boolean).join(', ')}</h3>
            <span>{describe(plot)}</span>
          </figcaption>
          <Chart
            plot={plot}
            period={[first.time, last.time]}
            time={chosenTime}
            onHover={setChosenTime}
            onMount={(element) => charts.current.set(plot.key, element)}
          />
          <PlotTable plot={plot} />
        </figure>
      ))}
      <div className={styles['slider']}>
        <label htmlFor={sliderId}>Collected</label>
        <input
          id={sliderId}
          type="range"
          min={0}
          max={times.length - 1}
          value={times.indexOf(shownTime)}
          aria-valuetext={`${formatDateTime(shownTime.date)}: ${plots
            .map((plot) => `${plot.name} ${describe(plot)}`)
            .join('. ')}`}
          onChange={(event) =>
            setChosenTime(times[event.currentTarget.valueAsNumber]?.time ?? null)
          }
        />
        <span aria-hidden="true">{formatDateTime(shownTime.date)}</span>
      </div>
    </section>
  );
}

interface ChartProps {
  plot: Plot;
  period: readonly [number, number];
  /** The chosen time, which every chart marks. */
  time: number | null;
  onHover: (time: number) => void;
  onMount: (element: HTMLElement) => void;
}

function Chart({ plot, period, time, onHover, onMount }: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(null);
  const hover = useEffectEvent((hoveredTime: number | null) => {
    if (hoveredTime !== null) onHover(hoveredTime);
  });
  const mount = useEffectEvent(onMount);
  const [start, end] = period;
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    const draw = () => {
      chart.current?.destroy();
      const width = element.clientWidth;
      const options = { plot, width, period: [start, end] as const, element, onHover: hover };
      chart.current = new uPlot(buildOptions(options), buildData(plot), element);
    };
    draw();
    mount(element);
    let width = element.clientWidth;
    const stopObserving = observeSize(element, () => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      draw();
    });
    // The theme is a class of the body.
    const themeObserver = new MutationObserver(draw);
    themeObserver.observe(document.body, { attributeFilter: ['class'] });
    return () => {
      stopObserving();
      themeObserver.disconnect();
      chart.current?.destroy();
      chart.current = null;
    };
  }, [plot, start, end]);
  useEffect(() => {
    const current = chart.current;
    if (current && time !== null) {
      current.setCursor({ left: current.valToPos(time, 'x'), top: 0 }, false);
    }
  }, [time]);
  return <div ref={container} className={styles['canvas']} aria-hidden="true" />;
}

/** The values of a chart as a table, for screen readers. */
function PlotTable({ plot }: { plot: Plot }) {
  return (
    // A table takes the height of its rows, so only a box around it can be hidden without a gap.
    <div className="visually-hidden">
      <table>
        <caption>{[plot.name, plot.unit].filter(Boolean).join(', ')}</caption>
        <thead>
          <tr>
            <th scope="col">Collected</th>
            <th scope="col">Result</th>
            <th scope="col">Reference Range</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {plot.lines.flatMap(({ series, points }) =>
            points.map(({ time, date, result }) => (
              <tr key={`${series}-${time}-${result.id}`}>
                <th scope="row">{formatDateTime(date)}</th>
                <td>{[result.result, result.flag].filter(Boolean).join(' ')}</td>
                <td>{result.referenceRange}</td>
                <td>{describeChange(result)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}
