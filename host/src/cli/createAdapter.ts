import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CORE_VERSION } from '@causeway/core'
import { adapterFiles } from './adapterTemplates/adapterFiles.js'
import { UsageError } from './plainError.js'

/** Names that npm takes, in lower case, with or without a scope. */
const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9-]*\/)?[a-z][a-z0-9-]{0,100}$/

export interface CreateAdapterOptions {
  /** Name of the npm package. */
  readonly name: string
  /** Where it is written; absent: a folder of its name here. */
  readonly folder: string | undefined
  readonly print: (line: string) => void
}

/** `causeway create-adapter`: writes a package that adds a chain, ready to be filled in. @throws UsageError */
export const createAdapter = ({ name, folder, print }: CreateAdapterOptions): void => {
  if (!PACKAGE_NAME.test(name)) {
    throw new UsageError(
      `"${name}" is no name for a package: give lower-case letters, digits and "-", such as causeway-chain-acme.`,
    )
  }
  const into = resolve(folder ?? name.replace(/^@[^/]*\//, ''))
  if (existsSync(into) && readdirSync(into).length > 0) {
    throw new UsageError(`${into} is not empty. Name an empty or a new folder with --folder.`)
  }
  const files = adapterFiles({ name, chain: chainOf(name), coreVersion: CORE_VERSION })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(into, path)), { recursive: true })
    writeFileSync(join(into, path), text)
  }
  print(`Wrote ${Object.keys(files).length} files to ${into}. What now:`)
  print(`  cd ${into}`)
  print('  npm install')
  print('  npm run conformance    builds it, runs the conformance kit, and lists what is to be done')
}

/** What the chain is called: `acme` of `causeway-chain-acme`. */
const chainOf = (name: string): string => {
  const last = name.replace(/^@[^/]*\//, '').replace(/^(?:causeway-)?(?:chain-|adapter-)?/, '')
  const letters = last.replaceAll(/[^a-z0-9]/g, '')
  return /^[a-z]/.test(letters) ? letters : `chain${letters}`
}
