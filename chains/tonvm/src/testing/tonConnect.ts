import { Address, Cell, loadStateInit, type MessageRelaxed } from '@ton/core'

/** A deposit as a quote's step has it (chains.md tonvm 3); cells are base64. */
export interface TonStep {
  readonly messages: readonly {
    readonly to: string
    /** Nanotons in decimal text. */
    readonly value: string
    readonly body?: string
    readonly stateInit?: string
    readonly bounce?: boolean
  }[]
}

/** A request of TON Connect to sign and send messages. */
export interface TonConnectRequest {
  /** Unix seconds. */
  readonly validUntil: number
  readonly network: string
  readonly messages: readonly {
    /** Friendly form, whose flag says whether the message bounces. */
    readonly address: string
    readonly amount: string
    readonly payload?: string
    readonly stateInit?: string
  }[]
}

export const MAINNET = -239
const VALID_SECONDS = 300
const MOST_MESSAGES = 4

/** The request that clients make of a step. @throws Error if a wallet would refuse the number of messages */
export const tonConnectRequest = ({ messages }: TonStep, now: number): TonConnectRequest => {
  if (messages.length < 1 || messages.length > MOST_MESSAGES) throw new Error('A wallet takes 1 to 4 messages')
  return {
    validUntil: now + VALID_SECONDS,
    network: `${MAINNET}`,
    messages: messages.map(({ to, value, body, stateInit, bounce }) => ({
      address: Address.parse(to).toString({ bounceable: bounce ?? bouncesAt(to) }),
      amount: value,
      ...(body === undefined ? {} : { payload: body }),
      ...(stateInit === undefined ? {} : { stateInit }),
    })),
  }
}

const bouncesAt = (text: string): boolean => !Address.isFriendly(text) || Address.parseFriendly(text).isBounceable

/** The messages that a wallet makes of a request. */
export const messagesOf = ({ messages }: TonConnectRequest): MessageRelaxed[] =>
  messages.map(({ address, amount, payload, stateInit }) => ({
    info: {
      ...{ type: 'internal', ihrDisabled: true, bounce: bouncesAt(address), bounced: false },
      ...{ dest: Address.parse(address), value: { coins: BigInt(amount) } },
      ...{ ihrFee: 0n, forwardFee: 0n, createdLt: 0n, createdAt: 0 },
    },
    init: stateInit === undefined ? null : loadStateInit(Cell.fromBase64(stateInit).beginParse()),
    body: payload === undefined ? Cell.EMPTY : Cell.fromBase64(payload),
  }))
