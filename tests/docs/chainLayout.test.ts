import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../packing/packages.js'

/** Folders of every chain package, and files of each (core/docs/kit/package.md). */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  address: ['addresses.ts'],
  rpc: ['probe.ts'],
  read: ['balances.ts', 'tokenFacts.ts', 'diagnose.ts'],
  deposit: ['buildDeposit.ts', 'readDeposits.ts'],
  depositAddress: ['depositAddresses.ts'],
  payout: ['simulator.ts', 'payoutFees.ts'],
  lane: ['lane.ts'],
  testing: ['index.ts', 'chainTesting.ts', 'sandboxChain.ts'],
}
const ROOT_FILES = ['index.ts', 'adapter.ts', 'options.ts']
const OPTIONAL = ['parts.ts', 'setup', 'verify']

interface Exception {
  /** Folders for members that few chains have. */
  readonly extras?: readonly string[]
  /** Files and folders that the chain has no use for. */
  readonly lacks?: readonly string[]
  /** The folders so far: the package is begun. */
  readonly only?: readonly string[]
}

const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  evm: { extras: ['direct', 'permit', 'swap', 'wallet'] },
  bvm: { lacks: ['read/tokenFacts.ts'] },
  svm: { extras: ['direct', 'swap'] },
  lvm: { lacks: ['depositAddress', 'depositAddress/depositAddresses.ts'] },
}

const sourceOf = (chain: string): string => join(ROOT, 'chains', chain, 'src')

const CHAINS = readdirSync(join(ROOT, 'chains')).filter((chain) =>
  existsSync(join(ROOT, 'chains', chain, 'package.json')),
)

/** Paths below `src`, folders among them. */
const pathsOf = (chain: string): readonly string[] =>
  readdirSync(sourceOf(chain), { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))

/** Compares paths with the layout. */
const faultsOf = (paths: readonly string[], { extras = [], lacks = [], only }: Exception = {}): readonly string[] => {
  const folders = Object.entries(FOLDERS).filter(([folder]) => only?.includes(folder) ?? true)
  const wanted = [
    ...(only === undefined ? ROOT_FILES : []),
    ...folders.flatMap(([folder, files]) => [folder, ...files.map((file) => `${folder}/${file}`)]),
  ].filter((path) => !lacks.includes(path))
  const allowed = new Set([...wanted, ...(only === undefined ? OPTIONAL : []), ...extras])
  return [
    ...wanted.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
    ...lacks.filter((path) => paths.includes(path)).map((path) => `${path} exists, though the table says otherwise`),
    ...paths
      .filter((path) => !path.includes('/') && !/\.test(\.support)?\.ts$/.test(path) && !allowed.has(path))
      .map((path) => `${path} is not of the layout`),
  ]
}

describe('a chain package has the folders and files of every other one', () => {
  it.each(CHAINS)('%s', (chain) => expect(faultsOf(pathsOf(chain), EXCEPTIONS[chain])).toEqual([]))

  it('a folder or file too many, and one too few, is a fault', () => {
    const paths = pathsOf('bvm')
    const { bvm } = EXCEPTIONS
    expect(faultsOf([...paths, 'coins', 'utxo.ts', 'utxo.test.ts', 'read/tokenFacts.ts'], bvm)).toEqual([
      'read/tokenFacts.ts exists, though the table says otherwise',
      'coins is not of the layout',
      'utxo.ts is not of the layout',
    ])
    const without = paths.filter((path) => path !== 'lane/lane.ts')
    expect(faultsOf(without, bvm)).toEqual(['lane/lane.ts is missing'])
  })

  it('each exception is of a package', () => {
    expect(Object.keys(EXCEPTIONS).filter((chain) => !CHAINS.includes(chain))).toEqual([])
  })
})
