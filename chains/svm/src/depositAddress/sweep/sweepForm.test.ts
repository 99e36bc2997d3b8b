import type { Hex } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { Keypair, PublicKey } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { NATIVE } from '../../address/addresses.js'
import { depositNative, depositToken } from '../../deposit/program/depositInstructions.js'
import { programAddresses } from '../../deposit/program/programAddresses.js'
import type { AccountReader } from '../../read/token/accountReader.js'
import type { MintInfo } from '../../read/token/mintInfo.js'
import type { MintReader } from '../../read/token/mintReader.js'
import { ACCOUNT_SIZE, AccountState } from '../../read/token/program/tokenLayouts.js'
import { TOKEN_PROGRAM_ID } from '../../read/token/program/tokenPrograms.js'
import { associatedTokenAddress, createTokenAccount } from '../../read/token/tokenAccounts.js'
import type { RpcAccount } from '../../rpc/wire.js'
import { SweepForms } from './sweepForm.js'

const PROGRAM = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'
const orderId: Hex = `0x${'c0'.repeat(32)}`
const someone = () => Keypair.generate().publicKey.toBase58()
const [child, payer, depositor] = [someone(), someone(), someone()]
const { vault } = programAddresses(PROGRAM)
const mint: MintInfo = {
  address: someone(),
  program: 'token',
  programId: TOKEN_PROGRAM_ID.toBase58(),
  decimals: 6,
  transferFee: null,
  hookProgram: null,
  nonTransferable: false,
  frozenByDefault: false,
  tokenAccountBytes: ACCOUNT_SIZE,
}

const wallet: RpcAccount = { lamports: 700, owner: NATIVE, executable: false, data: ['', 'base64'] }

const holding = (amount: bigint): RpcAccount => {
  const data = Buffer.alloc(ACCOUNT_SIZE)
  new PublicKey(mint.address).toBuffer().copy(data, 0)
  new PublicKey(child).toBuffer().copy(data, 32)
  data.writeBigUInt64LE(amount, 64)
  data.writeUInt8(AccountState.Initialized, 108)
  return { lamports: 2_039_280, owner: mint.programId, executable: false, data: [data.toString('base64'), 'base64'] }
}

const never = (): never => {
  throw new Error('no sweep')
}

const accounts = new Map([
  [child, wallet],
  [associatedTokenAddress(child, mint), holding(55n)],
])

const forms = new SweepForms({
  // CAST: of the readers nothing else is used here.
  accounts: {
    read: async (asked: string[]) => asked.map((at) => accounts.get(at) ?? null),
  } as unknown as AccountReader,
  fees: { rent: async () => 2_039_280n },
  mints: { readMany: async () => new Map([[mint.address, mint]]) } as unknown as MintReader,
  settings: { depository: vault, depositoryProgram: PROGRAM },
  tokens: [mint.address],
})

const payout: Payout = {
  purpose: 'sweep',
  orderId,
  from: payer,
  to: { address: vault },
  money: { currency: NATIVE, amount: 1n },
  calls: [],
  sweep: {
    address: { orderId, depositor, destination: { address: child }, derivation: { salt: `0x${'ab'.repeat(32)}` } },
    currencies: [NATIVE, mint.address],
  },
}

test('into a depository program: its own instructions name order and depositor, and the lane opens the account', async () => {
  const form = await forms.build(payout, 3)
  if ('refused' in form) throw new Error(form.refused)
  const [open, memo, native, token] = form.instructions
  const deposit = { program: PROGRAM, sender: child, depositor, orderId }
  expect(open).toEqual(createTokenAccount(payer, vault, mint))
  expect(memo?.data.toString()).toBe(`${orderId} sweep #3`)
  expect(native).toEqual(depositNative({ ...deposit, amount: 700n }))
  expect(token).toEqual(depositToken({ ...deposit, amount: 55n, mint }))
  expect(form.instructions).toHaveLength(4)
  expect(form).toMatchObject({ child: { address: child }, opens: [ACCOUNT_SIZE] })
})

test('F151: an account is closed by a sweep that finds it empty, and not by the one that empties it', async () => {
  const held = associatedTokenAddress(child, mint)
  const close = [held, payer, child]
  const native = { ...payout, sweep: { ...(payout.sweep ?? never()), currencies: [NATIVE] } }
  for (const [amount, closed] of [
    [55n, []],
    [1n, []],
    [0n, [close]],
  ] as const) {
    accounts.set(held, holding(amount))
    const form = await forms.build(native, 3)
    if ('refused' in form) throw new Error(form.refused)
    const rest = form.instructions.slice(2).map(({ keys }) => keys.map(({ pubkey }) => pubkey.toBase58()))
    expect(rest).toEqual(closed)
    expect(form.takes).toEqual([{ currency: NATIVE, amount: 700n }])
  }
  accounts.set(held, holding(55n))
})

test('nobody is credited who is no account of this chain: the address itself is', async () => {
  const { sweep } = payout
  if (sweep === undefined) throw new Error('no sweep')
  const form = await forms.build(
    { ...payout, sweep: { ...sweep, address: { ...sweep.address, depositor: '0xab' } } },
    3,
  )
  if ('refused' in form) throw new Error(form.refused)
  expect(form.instructions[2]).toEqual(
    depositNative({ program: PROGRAM, sender: child, depositor: child, orderId, amount: 700n }),
  )
})
