import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Pixels per CSS pixel, for screens with a high resolution. */
const scale = 2;

const mainFamily = 'Noto Sans';
/**
 * Whole fonts, where those of the PDF are in parts: the library takes all characters of a family
 * from one file.
 */
const fontFiles = ['noto-sans/NotoSans', 'noto-sans-arabic/NotoSansArabic', 'noto-sans-hebrew/NotoSansHebrew'].flatMap(
  (font) => {
    const [folder = '', name = ''] = font.split('/');
    return ['400Regular', '700Bold'].map((weight) => `@expo-google-fonts/${folder}/${weight}/${name}_${weight}.ttf`);
  },
);

/**
 * The library draws a text with one font, and looks for no other for the characters that it lacks.
 * These have Latin letters too. Scripts that none of the fonts has are drawn as boxes.
 */
const familiesOfScripts = [
  { script: /\p{Script=Arabic}/u, family: 'Noto Sans Arabic' },
  { script: /\p{Script=Hebrew}/u, family: 'Noto Sans Hebrew' },
];

/**
 * Draws an SVG of `renderChart` as PNG. Its fonts are those of the packages, whatever the system
 * has.
 */
export async function renderPng(svg: string): Promise<Uint8Array> {
  const fontBuffers = await loadLibrary();
  const font = { fontBuffers, defaultFontFamily: mainFamily, sansSerifFamily: mainFamily };
  const resvg = new Resvg(withFamilies(svg), { fitTo: { mode: 'zoom', value: scale }, font });
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

let loading: Promise<Uint8Array[]> | undefined;

/** @returns the fonts. */
function loadLibrary(): Promise<Uint8Array[]> {
  const { resolve } = createRequire(import.meta.url);
  loading ??= readFile(resolve('@resvg/resvg-wasm/index_bg.wasm'))
    .then((library) => initWasm(library))
    .then(() => Promise.all(fontFiles.map((file) => readFile(resolve(file)))));
  return loading;
}

/** Names the font of every text whose characters the main one lacks. */
function withFamilies(svg: string): string {
  return svg.replaceAll(/<text [^>]*>[^<]*/g, (text) => {
    const found = familiesOfScripts.find(({ script }) => script.test(text));
    return found ? text.replace(`font-family:${mainFamily},`, `font-family:${found.family},`) : text;
  });
}
