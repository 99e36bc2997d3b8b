import { Address, Cell, type Message } from '@ton/core'

/** Address of the masterchain that pays for the network. */
export const GIVER = new Address(-1, Buffer.alloc(32))

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
