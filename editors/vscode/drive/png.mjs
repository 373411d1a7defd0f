// Pictures of a window have few colours: with a palette they are a third of the size.
import UPNG from 'upng-js';

export function small(png) {
  const image = UPNG.decode(png.buffer.slice(png.byteOffset, png.byteOffset + png.byteLength));
  return Buffer.from(UPNG.encode(UPNG.toRGBA8(image), image.width, image.height, 128));
}
