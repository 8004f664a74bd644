import { BarcodeDetector, prepareZXingModule, purgeZXingModule } from 'barcode-detector/ponyfill';
import url from 'zxing-wasm/reader/zxing_reader.wasm?url';

/** Loaded only where it is needed: a megabyte. The library would load it from another server. */
export async function detectorInWasm(): Promise<BarcodeDetector> {
  try {
    await prepareZXingModule({ overrides: { locateFile: () => url }, fireImmediately: true });
  } catch (error) {
    // Otherwise the library would keep the failure, also once there is a connection.
    purgeZXingModule();
    throw error;
  }
  return new BarcodeDetector();
}
