// Pictures of a window have few colours, so a palette reduces them to a third of the size.
import UPNG from 'upng-js';

/** Pictures of the same width, one below the other. */
export function small(pngs) {
  const images = pngs.map((png) => UPNG.decode(png.buffer.slice(png.byteOffset, png.byteOffset + png.byteLength)));
  const [{ width }] = images;
  const height = images.reduce((sum, image) => sum + image.height, 0);
  const pixels = Buffer.concat(images.map((image) => Buffer.from(UPNG.toRGBA8(image)[0])));
  return Buffer.from(UPNG.encode([pixels.buffer.slice(pixels.byteOffset, pixels.byteOffset + pixels.byteLength)], width, height, 128));
}
