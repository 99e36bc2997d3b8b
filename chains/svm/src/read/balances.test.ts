import { expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { reservedOf } from './balances.js'

const [DEPOSITORY, WALLET, MINT] = ['depository', 'wallet', 'mint']

test('the depository keeps the rent of an account, or what there is of it; a wallet may be emptied (chains.md, Depository program)', async () => {
  const sizes: number[] = []
  const fees = { rent: async (bytes: number) => BigInt(sizes.push(bytes)) * 890_880n }
  const queries = [
    { address: DEPOSITORY, currency: NATIVE },
    { address: DEPOSITORY, currency: MINT },
    { address: WALLET, currency: NATIVE },
  ]
  const deps = { depository: DEPOSITORY, fees }
  expect(await reservedOf(queries, [5_000_000n, 7n, 9n], deps)).toEqual([890_880n, 0n, 0n])
  expect(sizes).toEqual([0])
  expect(await reservedOf(queries.slice(1), [7n, 9n], deps)).toEqual([0n, 0n])
  expect(sizes).toEqual([0])
  const { rent } = { rent: async () => 890_880n }
  expect(await reservedOf(queries, [10n, null, null], { ...deps, fees: { rent } })).toEqual([10n, 0n, 0n])
})
