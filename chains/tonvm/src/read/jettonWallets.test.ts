import { Address, beginCell, type TupleItem } from '@ton/core'
import { describe, expect, it } from 'vitest'
import type { Asked, MethodCall, TonApi } from '../rpc/tonApi.js'
import { JettonWallets } from './jettonWallets.js'

const account = (byte: number): string => new Address(0, Buffer.alloc(32, byte)).toRawString()
const [MASTER, OWNER, GENUINE, FORGED, BROKEN] = [account(1), account(2), account(3), account(4), account(5)]

const slice = (address: string): TupleItem => ({
  type: 'slice',
  cell: beginCell().storeAddress(Address.parseRaw(address)).endCell(),
})

/** A node whose master names a wallet; every other get method fails, as that of an untrusted account may. */
const node = (named: string): Asked => {
  const run = async ({ address, method }: MethodCall): Promise<readonly TupleItem[] | null> => {
    if (address === BROKEN) throw new Error('The master does not answer')
    if (address !== MASTER) throw new Error(`${method} of an untrusted account was run`)
    return [slice(named)]
  }
  // CAST: the questions of a jetton are all that is asked.
  const api = { run, newest: async () => ({ height: 1n, hash: '', time: 1, genesis: '' }) } as unknown as TonApi
  return { ask: (question) => question(api, new AbortController().signal) }
}

describe('the wallet of a jetton', () => {
  it('is the one that the master names, not one that names the master', async () => {
    const [wallets, asked] = [new JettonWallets([MASTER]), node(GENUINE)]
    expect(await wallets.masterOf(asked, GENUINE, OWNER)).toBe(MASTER)
    expect(await wallets.masterOf(asked, FORGED, OWNER)).toBe(null)
  })

  it('is kept for each node alone, so that a dishonest node deceives no other', async () => {
    const wallets = new JettonWallets([MASTER])
    expect(await wallets.masterOf(node(FORGED), FORGED, OWNER)).toBe(MASTER)
    expect(await wallets.masterOf(node(GENUINE), FORGED, OWNER)).toBe(null)
  })

  it('is found while another master does not answer, and unknown only where the account may belong to that one', async () => {
    const [wallets, asked] = [new JettonWallets([BROKEN, MASTER]), node(GENUINE)]
    expect(await wallets.masterOf(asked, GENUINE, OWNER)).toBe(MASTER)
    await expect(wallets.masterOf(asked, FORGED, OWNER)).rejects.toThrow('does not answer')
  })

  it('is none of a jetton that is not configured, and no code of it is run', async () => {
    expect(await new JettonWallets([]).masterOf(node(GENUINE), GENUINE, OWNER)).toBe(null)
  })
})
