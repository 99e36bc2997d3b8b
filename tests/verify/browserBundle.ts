import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import type { QuoteVerdict, VerifyOptions } from '@causeway/core/verify'
import { rolldown } from 'rolldown'

const ENTRY = fileURLToPath(new URL('../../core/src/verify/index.ts', import.meta.url))

/** `@causeway/core/verify` as one script for browsers. Whatever is left to import, or only Node has, is an error. */
export const bundleForBrowsers = async (): Promise<string> => {
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'verify', minify: true })
  await bundle.close()
  const [chunk] = output
  if (output.length > 1 || chunk.imports.length > 0) throw new Error(`The script imports ${chunk.imports.join()}`)
  return chunk.code
}

/** Runs such a script where there is nothing but the language and TextEncoder. */
export const verifyInPage = (code: string) => {
  const page = vm.createContext({ TextEncoder })
  vm.runInContext(code, page)
  return {
    typeOf: (name: string): string => vm.runInContext(`typeof ${name}`, page),
    verifyQuote: (quote: unknown, options: VerifyOptions): QuoteVerdict =>
      JSON.parse(
        vm.runInContext(
          `JSON.stringify(verify.verifyQuote(${JSON.stringify(quote)}, ${JSON.stringify(options)}))`,
          page,
        ),
      ),
  }
}
