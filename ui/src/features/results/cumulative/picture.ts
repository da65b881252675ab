import { readDataUrl } from '../../../lib/files';

const MARGIN_PX = 16;
const LINE_PX = 20;

interface PicturedChart {
  title: string;
  canvas: HTMLCanvasElement | null;
}

/**
 * Draws charts below each other as a PNG and returns it in base64. The patient is in the picture,
 * because a picture without a name can end up in the wrong record.
 */
export async function drawPicture(
  patient: string,
  charts: readonly PicturedChart[],
): Promise<string> {
  const scale = devicePixelRatio;
  const [margin, line] = [MARGIN_PX * scale, LINE_PX * scale];
  const width = Math.max(...charts.map(({ canvas }) => canvas?.width ?? 0)) + 2 * margin;
  const heights = charts.map(({ canvas }) => (canvas?.height ?? 0) + line);
  const height = heights.reduce((sum, each) => sum + each, 2 * margin + line);
  const picture = document.createElement('canvas');
  picture.width = width;
  picture.height = height;
  const pen = picture.getContext('2d');
  if (!pen) throw new Error('this browser cannot draw pictures');
  const style = getComputedStyle(document.body);
  pen.fillStyle = style.getPropertyValue('--panel');
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = style.getPropertyValue('--text');
  pen.font = `600 ${14 * scale}px Inter, system-ui, sans-serif`;
  let y = margin + line / 2;
  pen.fillText(patient, margin, y);
  pen.font = `${13 * scale}px Inter, system-ui, sans-serif`;
  y += line;
  for (const { title, canvas } of charts) {
    pen.fillText(title, margin, y);
    y += line / 2;
    if (canvas) pen.drawImage(canvas, margin, y);
    y += (canvas?.height ?? 0) + line / 2;
  }
  const blob = await new Promise<Blob | null>((resolve) => {
    picture.toBlob(resolve, 'image/png');
  });
  if (!blob) throw new Error('this browser cannot draw pictures');
  const url = await readDataUrl(blob);
  return url.slice(url.indexOf(',') + 1);
}
