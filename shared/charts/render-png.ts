import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import decompress from 'woff2-encoder/decompress';
import { fontFamilies, fontFilesFor } from '../fonts.ts';

/** Pixels per CSS pixel, for screens with a high resolution. */
const scale = 2;

/** Draws an SVG of `renderChart` as PNG. Its fonts are those of the package, whatever the system has. */
export async function renderPng(svg: string): Promise<Uint8Array> {
  await loadLibrary();
  const fontBuffers = await fontsFor(svg);
  const [defaultFontFamily = ''] = fontFamilies;
  const resvg = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: { fontBuffers, defaultFontFamily, sansSerifFamily: defaultFontFamily },
  });
  try {
    const image = resvg.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    resvg.free();
  }
}

let loading: Promise<void> | undefined;

function loadLibrary(): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  loading ??= readFile(resolve('@resvg/resvg-wasm/index_bg.wasm')).then((library) => initWasm(library));
  return loading;
}

/** By path. The packages of the font have few files. */
const decoded = new Map<string, Promise<Uint8Array>>();

async function fontsFor(text: string): Promise<Uint8Array[]> {
  const files = await fontFilesFor(text);
  return Promise.all(
    files.map(({ path }) => {
      const font = decoded.get(path) ?? readFile(path).then((bytes) => decompress(bytes));
      decoded.set(path, font);
      return font;
    }),
  );
}
