import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import { createEd25519Signer } from '@causeway/core/chain'
import { Address, beginCell, Cell, type TupleItem } from '@ton/core'
import { expect, it } from 'vitest'
import { walletOfKey } from '../address/wallets.js'
import { JettonWallets } from '../read/jettonWallets.js'
import type { AccountState, MethodCall, TonApi, TonNode, TonPool } from '../rpc/tonApi.js'
import { loadSandbox } from './emulation/emulator.js'
import { TonFees } from './payoutFees.js'
import { tonSimulator } from './simulator.js'

const NETWORK_ID = -239
const account = (byte: number): string => new Address(0, Buffer.alloc(32, byte)).toRawString()
const [USDT, JETTON_WALLET, RECIPIENT, DEPOSITORY] = [account(1), account(2), account(3), account(4)]
const payer = walletOfKey(createEd25519Signer(bytesToHex(randomBytes(32))).publicKey, NETWORK_ID)
/** A reference to code in a library of the masterchain, as the wallets of USDT have it. */
const LIBRARY = beginCell().storeUint(2, 8).storeBuffer(randomBytes(32)).endCell({ exotic: true })

const PLAIN: AccountState = { balance: 10n ** 10n, status: 'active', code: null, data: null, last: null }
const stateOf = (address: string): AccountState => {
  if (address === payer.address.toRawString()) return { ...PLAIN, ...payer.init }
  return address === JETTON_WALLET ? { ...PLAIN, code: LIBRARY, data: Cell.EMPTY } : PLAIN
}

const results: Readonly<Record<string, TupleItem>> = {
  get_wallet_address: { type: 'slice', cell: beginCell().storeAddress(Address.parseRaw(JETTON_WALLET)).endCell() },
  get_wallet_data: { type: 'int', value: 1_000_000n },
}

const simulatorAt = (jettonCode: Cell) => {
  const { defaultConfig } = Object(loadSandbox('config/defaultConfig.js'))
  const api = {
    newest: async () => ({ height: 1n, hash: '', time: 1_700_000_000, genesis: '' }),
    account: async (address: string) =>
      address === JETTON_WALLET ? { ...stateOf(address), code: jettonCode } : stateOf(address),
    run: async ({ method }: MethodCall) => [results[method]],
    config: async () => String(defaultConfig),
  }
  // CAST: the questions of a simulation are all that is asked.
  const asked = api as unknown as TonApi
  const ask: TonNode['ask'] = (question) => question(asked, new AbortController().signal)
  // CAST: a node and a pool are only asked here.
  const node = { ask } as unknown as TonNode
  const pool = { ask, ordered: () => [node] } as unknown as TonPool
  const wallets = new JettonWallets([USDT])
  return tonSimulator({
    ...{ pool, wallets, depository: DEPOSITORY, networkId: NETWORK_ID },
    ...{ fees: new TonFees(pool), sweeps: null },
  })
}

it('a payment of a jetton whose code is in a library is checked by balances, and says that it was not run', async () => {
  const simulation = await simulatorAt(LIBRARY).simulate({
    ...{ purpose: 'fill', orderId: bytesToHex(randomBytes(32)), from: payer.address.toRawString(), calls: [] },
    ...{ to: { address: RECIPIENT }, money: { currency: USDT, amount: 5n } },
  })
  expect(simulation).toMatchObject({ ok: true, notRun: expect.stringContaining('library') })
})

it('its balances still refuse it', async () => {
  const simulation = await simulatorAt(LIBRARY).simulate({
    ...{ purpose: 'fill', orderId: bytesToHex(randomBytes(32)), from: payer.address.toRawString(), calls: [] },
    ...{ to: { address: RECIPIENT }, money: { currency: USDT, amount: 5_000_000n } },
  })
  expect(simulation).toMatchObject({ ok: false, kind: 'insufficient-funds' })
})
