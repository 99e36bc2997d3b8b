import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { NILE_CHAIN_ID, resolveOptions, SHASTA_CHAIN_ID, TRON_CHAIN_ID } from './options.js'
import { publicChains } from './setup/tronSetup.js'

const depository = 'TXtEs6t2oUWQsNos7m68gbHdE9Q5n6x2oN'

it('block 0 follows from the chain id, which is the end of its id', () => {
  for (const id of [TRON_CHAIN_ID, NILE_CHAIN_ID, SHASTA_CHAIN_ID]) {
    const { genesisHash } = resolveOptions({ depository }, id)
    expect(Number.parseInt(genesisHash?.slice(-8) ?? '', 16)).toBe(id)
  }
  expect(resolveOptions({ depository }, 7).genesisHash).toBeNull()
  expect(publicChains.map(({ id }) => id)).toEqual([TRON_CHAIN_ID, NILE_CHAIN_ID, SHASTA_CHAIN_ID])
})

it('an option that is left out has its default, and the depository one spelling', () => {
  expect(resolveOptions({ depository: '41a614f803b6fd780986a42c78ec9c7f77e6ded13c' }, TRON_CHAIN_ID)).toMatchObject({
    ...{ depository: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', windowSeconds: 120n, maxFeeSun: 200_000_000n },
    ...{ depositKey: null, startBlock: null, apiKeyVariables: [], pollIntervalMs: 1500 },
  })
  expect(() => resolveOptions({ depository: depository.replace('TX', 'TY') }, TRON_CHAIN_ID)).toThrow(/checksum/)
})

it('no module of the adapter loads tronweb by being imported: it takes a second', () => {
  const source = import.meta.dirname
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.includes('.test.') && !path.startsWith('testing'),
  )
  const found = files.flatMap((path) =>
    readFileSync(join(source, path), 'utf8')
      .split('\n')
      .filter((line) => /from 'tronweb/.test(line) && !line.startsWith('import type ')),
  )
  expect(files.length).toBeGreaterThan(25)
  expect(found).toEqual([])
})
