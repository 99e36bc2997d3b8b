import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const TYPES = join(
  dirname(createRequire(import.meta.url).resolve('@relayprotocol/relay-sdk')),
  '../../_types/src/types/api.d.ts',
)

/**
 * Names of the fields that the installed client types for the body of `POST <path>`, in their order. The types are generated, so their
 * indentation tells the top level.
 * @throws Error when the types have no such body
 */
export const quoteFieldsOf = (path: string): readonly string[] => {
  const types = readFileSync(TYPES, 'utf8')
  const operation = types.slice(types.indexOf(`\n    "${path}": {\n`))
  const [, body] = /\n {20}"application\/json": \{\n([\s\S]*?)\n {20}\};/.exec(operation) ?? []
  if (body === undefined || !operation.startsWith(`\n    "${path}"`))
    throw new Error(`The client types no body of ${path}`)
  return [...body.matchAll(/^ {24}(\w+)\??: /gm)].map(([, name = '']) => name)
}
