import { messages } from '../contract';

/** Reads a file as a data URL. */
export const readDataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error(messages.UPLOAD_FAILED));
    reader.readAsDataURL(file);
  });
