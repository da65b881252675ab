import { Button } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';

import { readDataUrl } from '../lib/files';
import { EraserIcon, UndoIcon, UploadIcon } from './icons';
import { limits, messages } from '../contract';
import styles from './SignaturePad.module.css';

interface SignaturePadProps {
  /** PNG or JPEG data URL; null while nothing is drawn or chosen. */
  value: string | null;
  onChange: (image: string | null) => void;
  /** The signature of the profile, which a button brings back. */
  storedImage: string | null;
  /** The message below the pad, for example that an image is missing. */
  error: string | null;
  onError: (message: string | null) => void;
}

const WIDTH = 326;
const HEIGHT = 110;
const PEN_WIDTH = 2.2;
const PEN_COLOR = '#101a44';
const IMAGE_KINDS = ['image/png', 'image/jpeg', 'image/gif', 'image/bmp', 'image/webp'];

/** Returns why a file cannot be a signature, or null (O 5). */
export function validateSignatureFile(file: File | undefined): string | null {
  if (file === undefined) return messages.NO_FILE;
  if (!IMAGE_KINDS.includes(file.type)) return messages.IMAGE_ONLY;
  return file.size > limits.SIGNATURE_IMAGE_MAX_BYTES ? messages.SIGNATURE_TOO_BIG : null;
}

/** Whether the image can be decoded: the file type only reflects the file name. */
async function isValidImage(dataUrl: string): Promise<boolean> {
  const image = new Image();
  image.src = dataUrl;
  return image.decode().then(
    () => true,
    () => false,
  );
}

/**
 * A signature drawn with mouse, finger or pen, or a chosen image.
 *
 * A file that cannot be used leaves an empty pad, so that nobody signs with an earlier image.
 */
export function SignaturePad({ value, onChange, storedImage, error, onError }: SignaturePadProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const pen = useRef<{ x: number; y: number } | null>(null);
  const [isDrawing, setIsDrawing] = useState(value === null);
  const [canvasKey, setCanvasKey] = useState(0);
  const [isFileRejected, setIsFileRejected] = useState(false);

  // The canvas uses device pixels, so that the line is sharp on any display.
  useEffect(() => {
    const element = canvas.current;
    if (element === null || !isDrawing) return;
    const scale = Math.max(2, window.devicePixelRatio);
    element.width = WIDTH * scale;
    element.height = HEIGHT * scale;
    element.getContext('2d')?.scale(scale, scale);
  }, [isDrawing, canvasKey]);

  const getPoint = (event: React.PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * WIDTH,
      y: ((event.clientY - box.top) / box.height) * HEIGHT,
    };
  };
  const drawLine = (from: { x: number; y: number }, to: { x: number; y: number }) => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.lineWidth = PEN_WIDTH;
    context.lineCap = 'round';
    context.strokeStyle = PEN_COLOR;
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
  };

  const empty = (message: string | null) => {
    onChange(null);
    onError(message);
    setIsDrawing(true);
    setCanvasKey((count) => count + 1);
    setIsFileRejected(false);
  };
  const reject = (problem: string) => {
    empty(problem);
    setIsFileRejected(true);
  };
  const show = (image: string) => {
    onChange(image);
    onError(null);
    setIsDrawing(false);
    setIsFileRejected(false);
  };
  const choose = async (chosenFile: File | undefined) => {
    const problem = validateSignatureFile(chosenFile);
    if (problem !== null || chosenFile === undefined) {
      reject(problem ?? messages.NO_FILE);
      return;
    }
    // Nobody signs with the earlier image while the new one is read.
    empty(messages.FILE_CHECKING);
    try {
      const dataUrl = await readDataUrl(chosenFile);
      if (await isValidImage(dataUrl)) show(dataUrl);
      else reject(messages.IMAGE_ONLY);
    } catch {
      reject(messages.UPLOAD_FAILED);
    }
  };

  return (
    <div>
      <div className={styles['pad']}>
        {!isDrawing && value !== null ? (
          <img src={value} alt="Your signature" />
        ) : (
          <canvas
            key={canvasKey}
            ref={canvas}
            role="img"
            aria-label="Draw your signature here, or choose an image of it"
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              pen.current = getPoint(event);
              drawLine(pen.current, pen.current);
            }}
            onPointerMove={(event) => {
              if (pen.current === null) return;
              const next = getPoint(event);
              drawLine(pen.current, next);
              pen.current = next;
            }}
            onPointerUp={() => {
              if (pen.current === null) return;
              pen.current = null;
              onError(null);
              onChange(canvas.current?.toDataURL('image/png') ?? null);
            }}
          />
        )}
      </div>
      <div className={styles['padTools']}>
        <Button size="small" variant="minimal" icon={<EraserIcon />} onClick={() => empty(null)}>
          Clear
        </Button>
        <Button
          size="small"
          variant="minimal"
          icon={<UploadIcon />}
          onClick={() => file.current?.click()}
        >
          Choose image
        </Button>
        {storedImage !== null && value !== storedImage ? (
          <Button
            size="small"
            variant="minimal"
            icon={<UndoIcon />}
            onClick={() => show(storedImage)}
          >
            Use stored image
          </Button>
        ) : null}
        <input
          ref={file}
          type="file"
          hidden
          aria-label="Signature image"
          accept="image/*"
          onChange={(event) => {
            void choose(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      <div role="alert" className={styles['error']}>
        {/* The sentence of the specification has its own element. */}
        {error === null ? null : <span>{error}</span>}
        {error !== null && isFileRejected ? <span> {messages.SIGNATURE_FILE_UNUSED}</span> : null}
      </div>
    </div>
  );
}
