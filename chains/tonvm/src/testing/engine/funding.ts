import { Address, type Message, type ShardAccount } from '@ton/core'
import { mintMessage } from '../jetton/jettonMessages.js'
import { rawAddress } from './accounts.js'
import { GIVER, internalMessage } from './internalMessage.js'
import type { TonVm } from './vm/tonVm.js'

/** Whether a text names the native currency: its placeholder in any spelling, or the zero address of other chains. */
export const isNative = (currency: string): boolean =>
  /^0x0*$/.test(currency) || rawAddress(currency) === `0:${'0'.repeat(64)}`

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
  return mintMessage({ admin, minter, recipient, amount, responseTo: GIVER })
}

const adminOf = ({ vm, account, now }: MinterCall, minter: string): Address => {
  const { exitCode, stack } = vm.runGetMethod(account(minter), 'get_jetton_data', [], now)
  const admin = stack[2]
  if (exitCode !== 0 || admin?.type !== 'slice') throw new Error(`${minter} is not a jetton of this network`)
  return admin.cell.beginParse().loadAddress()
}
