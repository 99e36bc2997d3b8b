import { type ChainFamily, FAMILIES } from './adapterTemplates/adapterFacts.js'
import { adapterFiles } from './adapterTemplates/adapterFiles.js'
import { type CreatePackageOptions, createPackage } from './createPackage.js'
import { UsageError } from './plainError.js'

export interface CreateAdapterOptions extends CreatePackageOptions {
  /** One of `FAMILIES`, as the command line has it; absent: a skeleton of nothing but the contract. */
  readonly family?: string | undefined
}

/** `causeway create-adapter`: writes a package that adds a chain, ready to be filled in. @throws UsageError */
export const createAdapter = ({ family: text, ...options }: CreateAdapterOptions): void => {
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
    throw new UsageError(`"${text}" is no family of chains: name ${FAMILIES.join(', ')}, or none.`)
  return family
}
