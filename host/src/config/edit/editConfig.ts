import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { applyEdits, type JSONPath, modify } from 'jsonc-parser'
import { readConfigValue } from '../loadConfig.js'

/** One place of a configuration and what is to stand there. */
export interface ConfigEdit {
  readonly path: JSONPath
  readonly value: unknown
}

/** Writes the options of a chain. Returns lines for the operator: what was written, or what to write. */
export const editChainOptions = async (
  file: string,
  chainId: number,
  options: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> => {
  const raw = await readConfigValue(file)
  const chains: unknown = Reflect.get(Object(raw), 'chains')
  const at = Array.isArray(chains) ? chains.findIndex((chain) => Reflect.get(Object(chain), 'id') === chainId) : -1
  if (!Array.isArray(chains) || at < 0) return []
  const before: unknown = Reflect.get(Object(chains[at]), 'options') ?? {}
  const edits = Object.entries(options)
    .filter(([name, value]) => !isDeepStrictEqual(value, Reflect.get(Object(before), name)))
    .filter(([name, value]) => !sameAddress(value, Reflect.get(Object(before), name)))
    .map(([name, value]) => ({ path: ['chains', at, 'options', name], value }))
  return edits.length === 0 ? [] : editConfig(file, edits)
}

const sameAddress = (left: unknown, right: unknown): boolean =>
  typeof left === 'string' && typeof right === 'string' && left.toLowerCase() === right.toLowerCase()

/**
 * Changes places of a configuration file and leaves everything else as it is written. A file that is a program is changed only
 * when the changed one gives exactly the wished configuration; otherwise what to write is returned, and the file is left.
 */
export const editConfig = async (file: string, edits: readonly ConfigEdit[]): Promise<readonly string[]> => {
  const text = readFileSync(file, 'utf8')
  const said = edits.map(({ path, value }) => `  ${pathText(path)}: ${JSON.stringify(value)}`)
  const changed = extname(file) === '.json' ? editedJson(text, edits) : await editedModule(text, edits)
  if (changed === null || !(await isWished(file, changed, edits)))
    return [`${basename(file)} cannot be changed safely by a program. Write into it:`, ...said]
  replace(file, changed)
  return [`Written into ${basename(file)}:`, ...said]
}

const pathText = (path: JSONPath): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  )

const editedJson = (text: string, edits: readonly ConfigEdit[]): string =>
  edits.reduce((done, { path, value }) => {
    const formattingOptions = indentOf(text)
    const isNewItem = typeof path.at(-1) === 'number'
    return applyEdits(done, modify(done, path, value, { formattingOptions, isArrayInsertion: isNewItem }))
  }, text)

/** As the file is indented: by tabs, or by as many blanks as its first indented line has. */
const indentOf = (text: string) => {
  const [, indent = '  '] = /^([\t ]+)\S/m.exec(text) ?? []
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: eolOf(text),
  }
}

const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

/** The printer leaves the end of the file out. */
const withSameEnd = (code: string, text: string): string =>
  text.endsWith('\n') && !code.endsWith('\n') ? code + eolOf(text) : code

const editedModule = async (text: string, edits: readonly ConfigEdit[]): Promise<string | null> => {
  try {
    const { parseModule } = await import('magicast')
    const { getDefaultExportOptions } = await import('magicast/helpers')
    const module = parseModule(text)
    const config: unknown = getDefaultExportOptions(module)
    for (const { path, value } of edits) put(config, path, value)
    return withSameEnd(module.generate().code, text)
  } catch {
    return null
  }
}

const put = (root: unknown, path: JSONPath, value: unknown): void => {
  let place: unknown = root
  for (const part of path.slice(0, -1)) {
    if (Reflect.get(Object(place), part) === undefined) Reflect.set(Object(place), part, {})
    place = Reflect.get(Object(place), part)
  }
  const last = path.at(-1)
  if (last === undefined) throw new Error('No place')
  if (typeof last === 'number') {
    const push: unknown = Reflect.get(Object(place), 'push')
    if (typeof push !== 'function') throw new Error('No list')
    push.call(place, value)
  } else Reflect.set(Object(place), last, value)
}

/** Loads what would be written and compares it with what is wished. */
const isWished = async (file: string, text: string, edits: readonly ConfigEdit[]): Promise<boolean> => {
  const wished = structuredClone(await readConfigValue(file))
  for (const { path, value } of edits) put(wished, path, value)
  // Beside the file, so that it finds what the file finds.
  const draft = join(dirname(file), `.${process.pid}.draft.${basename(file)}`)
  writeFileSync(draft, text, { mode: 0o600 })
  try {
    return isDeepStrictEqual(structuredClone(await readConfigValue(draft)), wished)
  } catch {
    return false
  } finally {
    rmSync(draft, { force: true })
  }
}

const replace = (file: string, text: string): void => {
  const partial = `${file}.${process.pid}.partial`
  writeFileSync(partial, text, { mode: statSync(file).mode & 0o777 })
  renameSync(partial, file)
}
