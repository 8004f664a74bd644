import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill';
import url from 'zxing-wasm/reader/zxing_reader.wasm?url';

/** Loaded only where it is needed: a megabyte. The library would load it from another server. */
export function detectorInWasm(): BarcodeDetector {
  prepareZXingModule({ overrides: { locateFile: () => url } });
  return new BarcodeDetector();
}
