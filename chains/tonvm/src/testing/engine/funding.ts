import { Address, Cell, type Message, type ShardAccount } from '@ton/core'
import { mintBody } from '../jetton/jettonMessages.js'
import { rawAddress } from './accounts.js'
import type { TonVm } from './vm/tonVm.js'

/** Address of the masterchain from which the network itself pays. */
export const GIVER = new Address(-1, Buffer.alloc(32))
/** Nanotons that come with minted jettons, for gas and rent. */
const MINT_VALUE = 100_000_000n

/** Whether a text names the native currency: its placeholder in any spelling, or the zero address of other chains. */
export const isNative = (currency: string): boolean =>
  /^0x0*$/.test(currency) || rawAddress(currency) === `0:${'0'.repeat(64)}`

/** An internal message from any address. */
export const internalMessage = (
  src: Address,
  dest: Address,
  value: bigint,
  { body = Cell.EMPTY, bounce = false }: { readonly body?: Cell; readonly bounce?: boolean } = {},
): Message => ({
  info: {
    ...{ type: 'internal', ihrDisabled: true, bounce, bounced: false, src, dest, value: { coins: value } },
    ...{ ihrFee: 0n, forwardFee: 0n, createdLt: 0n, createdAt: 0 },
  },
  body,
})

interface MinterCall {
  readonly vm: TonVm
  readonly account: (address: string) => ShardAccount
  readonly now: number
}

/** A message that gives an account nanotons, or units of a jetton. @throws Error if the currency is no jetton of this network */
export const fundingMessage = (call: MinterCall, to: string, amount: bigint, currency?: string): Message => {
  const recipient = Address.parse(to)
  if (currency === undefined || isNative(currency)) return internalMessage(GIVER, recipient, amount)
  const minter = Address.parse(currency)
  const admin = adminOf(call, currency)
  const body = mintBody({ recipient, amount, minter, responseTo: GIVER })
  return internalMessage(admin, minter, MINT_VALUE, { body, bounce: true })
}

const adminOf = ({ vm, account, now }: MinterCall, minter: string): Address => {
  const { exitCode, stack } = vm.runGetMethod(account(minter), 'get_jetton_data', [], now)
  const admin = stack[2]
  if (exitCode !== 0 || admin?.type !== 'slice') throw new Error(`${minter} is not a jetton of this network`)
  return admin.cell.beginParse().loadAddress()
}
