import { createRequire } from 'node:module'
import { installCommand, type RequestStatus } from '@causeway/core/plugin'
import { escapeHtml } from '../pages/shellPage.js'
import { STATUS_WORDS, type StatusWords } from './statusWords.js'

export interface PictureFacts {
  readonly requestId: string
  readonly status: RequestStatus
  readonly from: string
  readonly to: string
}

const require = createRequire(import.meta.url)
const MANIFEST = new URL('../../package.json', import.meta.url)
/** Optional peers: only a host that shows pictures of shared links needs them. */
const PACKAGES = ['@expo-google-fonts/inter', '@resvg/resvg-js']

/** The command that installs the renderer and its fonts; null when they are installed. Loads neither. */
export const rendererToInstall = (resolve: (path: string) => string = require.resolve): string | null => {
  try {
    for (const name of PACKAGES) resolve(`${name}/package.json`)
    return null
  } catch {
    return installCommand(MANIFEST, PACKAGES)
  }
}

const fontFile = (weight: string): string => require.resolve(`@expo-google-fonts/inter/${weight}/Inter_${weight}.ttf`)

export const PICTURE_WIDTH = 1200
export const PICTURE_HEIGHT = 630

/** More does not fit in its box at its size, whatever the script. */
const MAX_NAME = 15

const COLOURS: Readonly<Record<StatusWords['tone'], string>> = {
  busy: '#93b7ff',
  good: '#6fd79a',
  bad: '#ff968c',
  warn: '#f0bd62',
}

/** What XML has no place for, and what would turn the text around it, is left out. */
const plainText = (text: string): string => text.replace(/[^\P{C}]/gu, '')

/** The beginning of a text, without what has no shape of its own. */
export const cut = (text: string, most: number): string => {
  const characters = [...plainText(text)]
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`
}

const words = (x: number, y: number, size: number, text: string, more = ''): string =>
  `<text x="${x}" y="${y}" font-size="${size}" ${more}>${escapeHtml(text)}</text>`

const place = (x: number, caption: string, name: string): string => `
<rect x="${x}" y="290" width="400" height="150" rx="24" fill="#172427" stroke="#6c7f82" stroke-width="2"/>
${words(x + 32, 342, 26, caption, 'fill="#95a4a2"')}
${words(x + 32, 402, 42, cut(name, MAX_NAME), 'font-weight="600" fill="#eef3f1"')}`

/** The picture as SVG. Every word that comes from elsewhere is cut and escaped. */
export const pictureSvg = ({ requestId, status, from, to }: PictureFacts): string => {
  const { short, tone } = STATUS_WORDS[status]
  const colour = COLOURS[tone]
  const id = cut(requestId, 80)
  const shownId = id.length > 24 ? `${id.slice(0, 12)}…${id.slice(-10)}` : id
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" viewBox="0 0 ${PICTURE_WIDTH} ${PICTURE_HEIGHT}" font-family="Inter">
<rect width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" fill="#0b1415"/>
<g transform="translate(80 72) scale(1.75)">
<rect width="32" height="32" rx="8" fill="#0d4f5c"/>
<g fill="none" stroke-linecap="round"><path d="M5 13h22" stroke="#f4e9d8" stroke-width="3"/><path d="M8 22a4 4 0 0 1 8 0a4 4 0 0 1 8 0" stroke="#5fd3c4" stroke-width="2.6"/><path d="M8 13v9M16 13v9M24 13v9" stroke="#f4e9d8" stroke-width="2.2"/></g>
</g>
${words(156, 112, 34, 'Causeway', 'font-weight="600" fill="#eef3f1"')}
<circle cx="96" cy="213" r="14" fill="${colour}"/>
${words(128, 232, 56, short, `font-weight="600" fill="${colour}"`)}
${place(80, 'From', from)}
<path d="M510 365H676" stroke="${colour}" stroke-width="6" stroke-linecap="round"/>
<path d="M656 341l28 24l-28 24" fill="none" stroke="${colour}" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/>
${place(720, 'To', to)}
${words(80, 546, 28, shownId, 'fill="#b6c3c1"')}
</svg>`
}

/**
 * Draws the picture of a shared link, 1200 by 630 pixels, outside the event loop and without fonts of the system. Returns null
 * when the renderer has no binary for this platform.
 */
export const drawPicture = async (facts: PictureFacts): Promise<Uint8Array | null> => {
  const renderer = await import('@resvg/resvg-js').catch(() => null)
  if (renderer === null) return null
  const { renderAsync } = renderer
  const fontFiles = [fontFile('400Regular'), fontFile('600SemiBold')]
  const image = await renderAsync(pictureSvg(facts), {
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: 'Inter' },
  })
  return image.asPng()
}
