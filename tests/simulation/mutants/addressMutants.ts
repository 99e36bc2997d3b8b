import type { Mutant } from './mutant.js'

/** What counts payments to addresses, and tells their sweeps from other payments. */
export const ADDRESS_MUTANTS: readonly Mutant[] = [
  {
    name: 'arrival-counted-twice',
    defence: 'a payment to an address leaves its books with the block that held it',
    harm: 'a payment that is back in another block is counted twice',
    needs: 'a reorg of the block with a payment to an address',
    by: ['payment to an address', 'reorg of an address'],
    file: 'core/dist/address/arrivalIngest.js',
    find: "const is = state === 'included' ? 1n : 0n;",
    replace: 'const is = 1n;',
  },
  {
    name: 'sweep-of-wallet',
    defence: 'a sweep of a forgotten time took nothing out of the wallet',
    harm: 'books that are opened anew have more in the wallet than there is',
    needs: 'the first backup put back, from before the lane was opened, after something was swept',
    by: ['payment to an address', 'older database put back'],
    file: 'core/dist/payout/lane/laneOpening.js',
    find: " || purpose === 'sweep'",
    replace: '',
  },
  {
    name: 'sweep-is-fill',
    defence: 'a sweep that the journal lacks is read back as one',
    harm: 'its order counts as paid: what was swept is neither filled nor refunded',
    needs: 'an older database put back after an address was swept that it knows',
    by: ['payment to an address', 'failover that loses commits', 'older database put back'],
    file: 'core/dist/chainKit/ledger/paymentMemo.js',
    find: '{ orderId: orderId, purpose: purpose }',
    replace: "{ orderId: orderId, purpose: purpose === 'sweep' ? 'fill' : purpose }",
  },
  {
    name: 'forgotten-order-unasked',
    defence:
      'an order made for what came to an address is not paid while it may have been under one that was forgotten',
    harm: 'what came to an address is paid twice',
    needs: 'a failover that loses such an order with its fill, and an operator who releases its lane',
    by: ['payment to an address', 'failover that loses commits', 'releases'],
    file: 'core/dist/payout/lane/paidOrders.js',
    find: `or exists (select from requests o join imported_transactions i on \${mayHavePaid('o')} where o.id = \${payout}.request_id)`,
    replace: '',
  },
]
