import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Content } from '@causeway/core/plugin'
import type { Area } from '../pages/pagePaths.js'

/** One file of the built pages, whole and compressed. */
export interface BuiltFile {
  readonly plain: Content
  readonly gzip: Content | null
  readonly brotli: Content | null
}

/** What the first view of an area loads. */
export interface PageEntry {
  /** Runs before the page is shown. */
  readonly early: string
  readonly script: string
  readonly styles: readonly string[]
  readonly preloads: readonly string[]
  /** Of words, and of ids: seen first in another font, they would be set twice. None where the build has no such file. */
  readonly fonts: { readonly words: readonly string[]; readonly ids: readonly string[] }
}

interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly assets?: readonly string[]
  readonly imports?: readonly string[]
}

/** Kinds of files by their folder, with the type that each is sent as. */
export const ASSET_TYPES = {
  scripts: 'text/javascript; charset=utf-8',
  styles: 'text/css; charset=utf-8',
  fonts: 'font/woff2',
} as const
export type AssetKind = keyof typeof ASSET_TYPES

/** Where the build leaves them. */
export const BUILT = fileURLToPath(new URL('../../dist/web', import.meta.url))
/** What an area begins with, and what that loads at once, by the source that each is made of. */
const ENTRIES: Readonly<Record<Area, readonly [entry: string, ...loaded: string[]]>> = {
  dashboard: ['src/main.tsx', 'src/areas/dashboard/area.tsx', 'src/areas/dashboard/DashboardPages.tsx'],
  console: ['src/main.tsx', 'src/areas/console/area.tsx', 'src/areas/console/ConsolePages.tsx'],
  track: ['src/track.tsx'],
  try: ['src/main.tsx', 'src/areas/try/area.tsx'],
}

const EARLY = 'src/early.ts'
const FONTS = { words: /\/inter-latin-wght-normal-/, ids: /\/jetbrains-mono-latin-wght-normal-/ } as const

/** In place of an area that needs a sign-in: its scripts are for those who have one. */
const SIGN_IN = ['src/signIn.tsx'] as const
const NEEDS_SIGN_IN: ReadonlySet<Area> = new Set(['dashboard', 'console'])

/** The pages as `npm run build` made them. All of it is read once, when it is first asked for. */
export class BuiltPages {
  readonly #folder: string
  #manifest: Readonly<Record<string, Chunk>> | undefined
  readonly #files = new Map<string, BuiltFile | null>()
  readonly #entries = new Map<string, PageEntry>()
  readonly #names = new Map<AssetKind, ReadonlySet<string>>()

  constructor(folder: string = BUILT) {
    this.#folder = folder
  }

  /** Scripts, styles and what to load early, as paths of this service; of an area behind a sign-in the form for who seems to have none. */
  entryOf(area: Area, isSignedIn = false): PageEntry {
    const key = `${area} ${isSignedIn}`
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const [first, ...loaded] = NEEDS_SIGN_IN.has(area) && !isSignedIn ? SIGN_IN : ENTRIES[area]
    const main = this.#chunk(first)
    const own = loaded.map((source) => this.#chunk(source))
    const below = this.#importsOf([main, ...own])
    const all = [main, ...own, ...below]
    const path = (file: string) => `/dashboard/${file}`
    const fonts = [...new Set(all.flatMap(({ assets = [] }) => assets))].map(path)
    const entry = {
      early: path(this.#chunk(EARLY).file),
      script: path(main.file),
      styles: [...new Set(all.flatMap(({ css = [] }) => css))].map(path),
      preloads: [...new Set([...own, ...below].map(({ file }) => file))].map(path),
      fonts: {
        words: fonts.filter((name) => FONTS.words.test(name)),
        ids: fonts.filter((name) => FONTS.ids.test(name)),
      },
    }
    this.#entries.set(key, entry)
    return entry
  }

  /** A file of one kind; null where there is none of that name. */
  file(kind: AssetKind, name: string): BuiltFile | null {
    if (!this.#namesOf(kind).has(name) || /\.(br|gz|map)$/.test(name)) return null
    const key = `${kind}/${name}`
    const known = this.#files.get(key)
    if (known !== undefined) return known
    const read = (suffix: string) => {
      const path = join(this.#folder, 'assets', `${key}${suffix}`)
      return existsSync(path) ? new Content(ASSET_TYPES[kind], readFileSync(path)) : null
    }
    const plain = read('')
    const file = plain === null ? null : { plain, gzip: read('.gz'), brotli: read('.br') }
    this.#files.set(key, file)
    return file
  }

  #namesOf(kind: AssetKind): ReadonlySet<string> {
    const known = this.#names.get(kind)
    if (known !== undefined) return known
    const names = new Set(readdirSync(join(this.#folder, 'assets', kind)))
    this.#names.set(kind, names)
    return names
  }

  #chunk(source: string): Chunk {
    this.#manifest ??= this.#readManifest()
    const chunk = this.#manifest[source]
    if (chunk === undefined) throw new Error(`The pages were built without ${source}. Run: npm run build`)
    return chunk
  }

  #readManifest(): Readonly<Record<string, Chunk>> {
    const path = join(this.#folder, 'manifest.json')
    if (!existsSync(path)) throw new Error('The pages are not built. Run: npm run build')
    // CAST: written by the build of this package.
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, Chunk>
  }

  #importsOf(chunks: readonly Chunk[]): readonly Chunk[] {
    const found = new Map<string, Chunk>()
    const walk = ({ imports = [] }: Chunk): void => {
      for (const name of imports) {
        if (found.has(name)) continue
        const chunk = this.#chunk(name)
        found.set(name, chunk)
        walk(chunk)
      }
    }
    for (const chunk of chunks) walk(chunk)
    return [...found.values()].filter((chunk) => !chunks.includes(chunk))
  }
}
