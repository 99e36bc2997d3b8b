import { type Address, beginCell, type Cell, Dictionary, type Message } from '@ton/core'
import { sha256_sync } from '@ton/crypto'
import { internalMessage } from '../engine/internalMessage.js'

/** Operations of jettons (TEP-74), and the one that mints here. */
export const JETTON_OPS = {
  transfer: 0x0f8a7ea5,
  internalTransfer: 0x178d4519,
  transferNotification: 0x7362d09c,
  excesses: 0xd53276db,
  burn: 0x595f07bc,
  burnNotification: 0x7bdd97de,
  mint: 0x642b7d07,
} as const

interface Mint {
  readonly admin: Address
  readonly recipient: Address
  readonly amount: bigint
  readonly minter: Address
  /** Receives the nanotons that are left. */
  readonly responseTo: Address
}

/** Nanotons that come with a mint, and those of them that go on to the wallet, which keeps its rent. */
const MINT_VALUE = 100_000_000n
const WALLET_VALUE = 50_000_000n

/** A message of the admin that mints units, without a notification. */
export const mintMessage = ({ admin, recipient, amount, minter, responseTo }: Mint): Message => {
  const internalTransfer = beginCell()
    .storeUint(JETTON_OPS.internalTransfer, 32)
    .storeUint(0, 64)
    .storeCoins(amount)
    .storeAddress(minter)
    .storeAddress(responseTo)
    .storeCoins(0)
    .storeBit(false)
    .endCell()
  const body = beginCell()
    .storeUint(JETTON_OPS.mint, 32)
    .storeUint(0, 64)
    .storeAddress(recipient)
    .storeCoins(WALLET_VALUE)
    .storeRef(internalTransfer)
    .endCell()
  return internalMessage(admin, minter, MINT_VALUE, { body, bounce: true })
}

/** A transfer of jettons, for the body of a message to the sender's jetton wallet. */
export interface JettonTransfer {
  readonly amount: bigint
  readonly recipient: Address
  readonly responseTo: Address
  /** Nanotons of the notification; 0: the recipient is not notified. */
  readonly forwardValue: bigint
  readonly forwardPayload: Cell
}

export const transferBody = ({ amount, recipient, responseTo, forwardValue, forwardPayload }: JettonTransfer): Cell =>
  beginCell()
    .storeUint(JETTON_OPS.transfer, 32)
    .storeUint(0, 64)
    .storeCoins(amount)
    .storeAddress(recipient)
    .storeAddress(responseTo)
    .storeMaybeRef(null)
    .storeCoins(forwardValue)
    .storeBit(true)
    .storeRef(forwardPayload)
    .endCell()

/** Metadata of a jetton on the chain (TEP-64). */
export interface JettonMetadata {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly description?: string
}

const ON_CHAIN = 0
const SNAKE = 0

/** Content cell of a jetton with its metadata on the chain. */
export const contentCell = ({ decimals, ...texts }: JettonMetadata): Cell => {
  const content = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  for (const [key, value] of Object.entries({ ...texts, decimals: `${decimals}` })) {
    content.set(sha256_sync(key), beginCell().storeUint(SNAKE, 8).storeStringTail(value).endCell())
  }
  return beginCell().storeUint(ON_CHAIN, 8).storeDict(content).endCell()
}
