import { type ChainFamily, FAMILIES } from './adapterTemplates/adapterFacts.js'
import { adapterFiles } from './adapterTemplates/adapterFiles.js'
import { exampleFiles } from './adapterTemplates/exampleFiles.js'
import { type CreatePackageOptions, createPackage } from './createPackage.js'
import { UsageError } from './plainError.js'

/** The family that is a whole example. */
const EXAMPLE = 'example'

export interface CreateAdapterOptions extends CreatePackageOptions {
  /** One of `FAMILIES`, or `example` for a whole small chain that passes the conformance kit, as the command line has it; absent: a skeleton of nothing but the contract. */
  readonly family?: string | undefined
}

/** `causeway create-adapter`: writes a package that adds a chain, ready to be filled in. @throws UsageError */
export const createAdapter = ({ family: text, ...options }: CreateAdapterOptions): void => {
  if (text === EXAMPLE) {
    createPackage(options, {
      kind: 'chain',
      files: ({ word, ...facts }) => exampleFiles({ ...facts, chain: word }),
      next: ['npm test    builds it, runs its tests and the conformance kit, which passes'],
    })
    return
  }
  const family = familyOf(text)
  createPackage(options, {
    kind: 'chain',
    files: ({ word, ...facts }) => adapterFiles({ ...facts, chain: word, family }),
    next: ['npm run conformance    builds it, runs the conformance kit, and lists what is to be done'],
  })
}

const familyOf = (text: string | undefined): ChainFamily | null => {
  if (text === undefined) return null
  const family = FAMILIES.find((name) => name === text)
  if (family === undefined)
    throw new UsageError(`"${text}" is no family of chains: name ${FAMILIES.join(', ')}, ${EXAMPLE}, or none.`)
  return family
}
