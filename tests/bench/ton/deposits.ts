import { Address, beginCell, type Message } from '@ton/core'

/** A payment of TON to an account. */
export interface Deposit {
  /** Raw addresses. */
  readonly from: string
  readonly to: string
  /** Nanotons. */
  readonly amount: bigint
  readonly orderId: string
}

/** The message by which a wallet pays an order: its comment is the order id. */
export const depositMessage = ({ from, to, amount, orderId }: Deposit): Message => ({
  info: {
    ...{ type: 'internal', ihrDisabled: true, bounce: false, bounced: false },
    ...{ src: Address.parse(from), dest: Address.parse(to), value: { coins: amount } },
    ...{ ihrFee: 0n, forwardFee: 0n, createdLt: 0n, createdAt: 0 },
  },
  body: beginCell().storeUint(0, 32).storeStringTail(orderId).endCell(),
})
