import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import type { QuoteVerdict, VerifyOptions } from '@causeway/core/verify'
import { rolldown } from 'rolldown'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const ENTRIES = Object.fromEntries(
  [
    'core',
    'chain-evm',
    'chain-svm',
    'chain-bvm',
    'chain-xrpvm',
    'chain-hederavm',
    'chain-tonvm',
    'chain-tvm',
    'chain-hypevm',
    'chain-lvm',
  ].map((name) => [
    `@causeway/${name}/verify`,
    pathOf(`../../${name.replace('chain-', 'chains/')}/src/verify/index.ts`),
  ]),
)

export interface BrowserBundle {
  readonly code: string
  /** Paths of the files that it is made of. */
  readonly files: readonly string[]
}

/**
 * `@causeway/core/verify` with the VMs of all chain packages as one script for browsers. Whatever is left to import, or only Node
 * has, is an error.
 */
export const bundleForBrowsers = async (): Promise<BrowserBundle> => {
  const bundle = await rolldown({
    input: pathOf('./everyVm.ts'),
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, alias: ENTRIES },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'verify', minify: true })
  await bundle.close()
  const [chunk] = output
  if (output.length > 1 || chunk.imports.length > 0) throw new Error(`The script imports ${chunk.imports.join()}`)
  return { code: chunk.code, files: chunk.moduleIds }
}

/** Runs such a script where there is nothing but the language and TextEncoder. */
export const verifyInPage = (code: string) => {
  const page = vm.createContext({ TextEncoder })
  vm.runInContext(code, page)
  return {
    typeOf: (name: string): string => vm.runInContext(`typeof ${name}`, page),
    verifyQuote: (quote: unknown, options: Omit<VerifyOptions, 'vms'>): QuoteVerdict =>
      JSON.parse(
        vm.runInContext(
          `JSON.stringify(verify.verifyInPage(${JSON.stringify(quote)}, ${JSON.stringify(options)}))`,
          page,
        ),
      ),
  }
}
