import type { BroadcastResult } from '@causeway/core/chain'
import { answerOf, type Rejection, rejectedAs } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'

/** The exchange answers refusals with HTTP status 200 (chains.md hypevm 3). */
export const readExchangeAnswer = answerOf(
  Type.Object({ status: Type.Union([Type.Literal('ok'), Type.Literal('err')]), response: Type.Unknown() }),
)

export type ExchangeAnswer = ReturnType<typeof readExchangeAnswer>

const REFUSALS: readonly (readonly [RegExp, Rejection])[] = [
  [/insufficient/i, 'insufficient-funds'],
  [/unknown token|invalid (?:perp dex|send|decimal|destination|amount)|cannot be zero|nonce mismatch/i, 'invalid'],
  [/require different signature|unable to recover|does not exist/i, 'invalid'],
]

const MUST_DEPOSIT = /^must deposit before performing actions(?:\. user: (0x[0-9a-f]{40}))?/i

/**
 * Meaning of an answer of the exchange. A nonce that was used before is no proof of a payment, since a refused action uses its nonce up too:
 * only the ledger shows the payment. After a text that is not named here the same action is sent again.
 * @param sender - account of the key that signed
 */
export const broadcastResultOf = ({ status, response }: ExchangeAnswer, sender: string): BroadcastResult => {
  if (status === 'ok') return { outcome: 'known' }
  const text = typeof response === 'string' ? response.slice(0, 200) : 'no reason'
  if (/duplicate nonce|already (?:been )?used/i.test(text)) return { outcome: 'known' }
  if (/nonce too low|too old/i.test(text))
    return { outcome: 'expired', message: 'The time in which the payment may land is over.' }
  const [isStranger, account] = MUST_DEPOSIT.exec(text) ?? []
  if (isStranger !== undefined)
    return rejectedAs(
      account === undefined || account.toLowerCase() === sender ? 'insufficient-funds' : 'invalid',
      text,
    )
  const reason = REFUSALS.find(([pattern]) => pattern.test(text))?.[1]
  if (reason !== undefined) return rejectedAs(reason, text)
  return { outcome: 'unknown', message: `The exchange did not take the payment yet (${text}).` }
}
