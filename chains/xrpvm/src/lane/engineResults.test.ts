import { expect, it } from 'vitest'
import { broadcastResultOf, resultText } from './engineResults.js'

it.each([
  ['tesSUCCESS', 'known'],
  ['tecPATH_DRY', 'known'],
  ['tecUNFUNDED_PAYMENT', 'known'],
  ['terQUEUED', 'known'],
  ['terPRE_SEQ', 'known'],
  ['terPRE_TICKET', 'known'],
  ['tefALREADY', 'known'],
  ['tefMAX_LEDGER', 'expired'],
  ['tefPAST_SEQ', 'nonce-too-low'],
  ['tefNO_TICKET', 'nonce-too-low'],
  ['telINSUF_FEE_P', 'underpriced'],
  ['telCAN_NOT_QUEUE', 'underpriced'],
  ['telCAN_NOT_QUEUE_FEE', 'underpriced'],
  ['telCAN_NOT_QUEUE_FULL', 'underpriced'],
  ['terINSUF_FEE_B', 'insufficient-funds'],
  ['temBAD_AMOUNT', 'invalid'],
  ['temREDUNDANT', 'invalid'],
  ['tefBAD_AUTH', 'invalid'],
  ['tefBAD_AUTH_MASTER', 'invalid'],
  ['telWRONG_NETWORK', 'invalid'],
  ['tefINTERNAL', 'unknown'],
  ['telLOCAL_ERROR', 'unknown'],
  ['terNO_LINE', 'unknown'],
])('%s of a server means: %s', (result, meaning) => {
  const said = broadcastResultOf(result)
  expect(said.outcome === 'rejected' ? said.reason : said.outcome).toBe(meaning)
})

it('why a transaction did nothing but cost its fee is told in words, with the code of the ledger', () => {
  expect(resultText('tecDST_TAG_NEEDED')).toBe(
    'The ledger refused it: the recipient needs a destination tag (tecDST_TAG_NEEDED).',
  )
  expect(resultText('tecSOMETHING_NEW')).toBe('The ledger refused it (tecSOMETHING_NEW).')
})
