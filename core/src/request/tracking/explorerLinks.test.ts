import { expect, it } from 'vitest'
import type { Chain } from '../../chain/chainRegistry.js'
import { explorerRoot, transactionLink } from './explorerLinks.js'

const chainWith = (explorerUrl: string | undefined): Chain => ({
  // CAST: the fields that are read.
  config: { id: 1, ...(explorerUrl === undefined ? {} : { explorerUrl }) } as Chain['config'],
  adapter: {
    explorerPaths: () => ({ transaction: '/tx/{TX_HASH}', address: '', token: '' }),
  } as unknown as Chain['adapter'],
})

it('a transaction is looked up at the explorer of its chain, whatever its hash is written with', () => {
  expect(transactionLink(chainWith('https://scan.example/'), '0xab')).toBe('https://scan.example/tx/0xab')
  expect(transactionLink(chainWith('http://scan.example/x'), 'a/b?c#d')).toBe('http://scan.example/x/tx/a%2Fb%3Fc%23d')
})

it('there is no link without an explorer, nor to what no browser should open', () => {
  const unlinked = [undefined, 'javascript:alert(1)', 'ftp://scan.example', 'data:text/html,x', '//scan.example']
  for (const url of unlinked) {
    expect([url, explorerRoot(chainWith(url)), transactionLink(chainWith(url), '0xab')]).toEqual([url, null, null])
  }
  expect(transactionLink(undefined, '0xab')).toBeNull()
})
