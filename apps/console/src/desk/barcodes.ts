import type { BarcodeDetector } from 'barcode-detector/ponyfill';

export type Detector = Pick<BarcodeDetector, 'detect'>;

declare global {
  interface Window {
    BarcodeDetector?: typeof BarcodeDetector;
  }
}

/** Whether this page may use a camera. Only secure pages have `mediaDevices`. */
export const canScan = (): boolean => Boolean(navigator.mediaDevices);

/**
 * The browser's own detector, or one in WebAssembly where it has none, as in Safari, Firefox, and Chrome on Linux. A desk that was opened with
 * a connection has it in memory, and scans without one.
 */
async function load(): Promise<Detector> {
  // Browsers without the services of their system have the class, and no format.
  const formats = await window.BarcodeDetector?.getSupportedFormats();
  if (window.BarcodeDetector && formats?.length) return new window.BarcodeDetector();
  const { detectorInWasm } = await import('./detector-in-wasm');
  return detectorInWasm();
}

let loaded: Promise<Detector> | undefined;

/** @throws what hindered loading it; the next call tries again */
export function detector(): Promise<Detector> {
  loaded ??= load().catch((error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

const EVERY_MS = 150;

/**
 * Shows the camera in `video`, and resolves with the first code that `detecting` finds.
 *
 * @throws DOMException if there is no camera, or its use is not permitted
 */
export async function scan(
  video: HTMLVideoElement,
  detecting: Detector,
  signal: AbortSignal,
): Promise<string | undefined> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  try {
    if (signal.aborted) return undefined;
    video.srcObject = stream;
    await video.play();
    while (!signal.aborted) {
      const [code] = await detecting.detect(video);
      if (code?.rawValue) return code.rawValue;
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    return undefined;
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
