/** What is used of the browser's detector, which TypeScript's library does not declare. */
interface BarcodeDetector {
  detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

interface BarcodeDetectorClass {
  new (): BarcodeDetector;
  getSupportedFormats(): Promise<string[]>;
}

declare global {
  interface Window {
    BarcodeDetector?: BarcodeDetectorClass;
  }
}

/** Whether this browser recognizes codes in pictures, and lets this page use a camera. */
export async function canScan(): Promise<boolean> {
  // Browsers without the services of their system have the class, and no format. Only secure pages have `mediaDevices`.
  const formats = (await window.BarcodeDetector?.getSupportedFormats()) ?? [];
  return formats.length > 0 && Boolean(navigator.mediaDevices);
}

const EVERY_MS = 150;

/**
 * Shows the camera in `video`, and resolves with the first code that it detects.
 *
 * @throws DOMException if there is no camera, or its use is not permitted
 */
export async function scan(video: HTMLVideoElement, signal: AbortSignal): Promise<string | undefined> {
  if (!window.BarcodeDetector) return undefined;
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  try {
    if (signal.aborted) return undefined;
    const detector = new window.BarcodeDetector();
    video.srcObject = stream;
    await video.play();
    while (!signal.aborted) {
      const [code] = await detector.detect(video);
      if (code?.rawValue) return code.rawValue;
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    return undefined;
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
