import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { permit2RuntimeBytecode } from './index.js'

interface Published {
  readonly contract: string
  readonly license: string
  readonly origin: { readonly package: string; readonly integrity: string; readonly path: string }
  readonly sha256: string
  readonly bytecode: string
}

const FOLDERS = [
  { folder: new URL('../published/', import.meta.url), licenses: ['MIT'] },
  { folder: new URL('../../tests/harness/evm/published/', import.meta.url), licenses: ['GPL-3.0'] },
]

const files = FOLDERS.flatMap(({ folder, licenses }) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    // CAST: written by build/published.mjs.
    .map((name) => ({ licenses, ...(JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Published) })),
)

describe.each(files)('$contract of $origin.package', ({ bytecode, sha256, license, licenses, origin }) => {
  it('has the recorded bytecode', () => {
    const bytes = Buffer.from(bytecode.slice(2), 'hex')
    expect(`0x${bytes.toString('hex')}`).toBe(bytecode)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
  })

  it('states a licence that its folder may hold, and an exact origin', () => {
    expect(licenses).toContain(license)
    expect(origin).toMatchObject({
      package: expect.stringMatching(/@\d+\.\d+\.\d+$/),
      integrity: expect.stringMatching(/^sha512-/),
    })
  })
})

it('exports the code of Permit2', () => {
  expect(files.find(({ contract }) => contract === 'Permit2')?.bytecode).toBe(permit2RuntimeBytecode)
})
