import { expect, it } from 'vitest'
import type { PayoutExplanation } from './explanation.js'
import { payoutText } from './explanationText.js'

const money = { chainId: 1, currency: '0xc', symbol: 'USDT', amount: '5', formatted: '5' }
const payout = {
  ...{ id: '7', purpose: 'fill', cause: 'decision', state: 'ready', money, fees: money, earnings: [], sponsor: null },
  ...{
    recipient: '0x1',
    signer: '0x2',
    createdAt: '',
    includedAt: null,
    includedHeight: null,
    inclusions: 0,
    retries: 0,
  },
  ...{ failReason: null, details: null, generations: [], attempts: [] },
}

const textOf = (notSimulated: string | null): string => {
  // CAST: what the text of a payout shows.
  const explained = { ...payout, notSimulated } as unknown as PayoutExplanation
  return payoutText(explained, () => 'TON').join('\n')
}

it('the text of a payout says which part of it was not simulated', () => {
  expect(textOf('The code of 0:1 is in a library.')).toContain('not simulated: The code of 0:1 is in a library.')
  expect(textOf(null)).not.toContain('simulated')
})
